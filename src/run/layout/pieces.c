/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/pieces.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/layout/device.h"

#include <stdlib.h>
#include <string.h>

static int fill(struct caucus_layout_pieces *pieces, const int64_t *counts,
                const int64_t *displacements, const struct caucus_type_map *map) {
    bool alike = true;
    int64_t count = pieces->count;
    for (int64_t i = 1; i < count && alike; i++)
        alike = counts[i] == counts[0];
    pieces->size = count > 0 ? counts[0] * map->size : 0;
    pieces->at = caucus_array(count, sizeof *pieces->at);
    if (!alike)
        pieces->packed = caucus_array(count + 1, sizeof *pieces->packed);
    if (!pieces->at || (!alike && !pieces->packed))
        return CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < count; i++)
        pieces->at[i] = displacements[i] + map->run_at;
    for (int64_t i = 0; i < count && !alike; i++)
        pieces->packed[i + 1] = pieces->packed[i] + counts[i] * map->size;
    return CAUCUS_OK;
}

int caucus_layout_pieces_create(struct caucus_layout_pieces **made, int64_t count,
                                const int64_t *counts, const int64_t *displacements,
                                const struct caucus_type_map *map) {
    struct caucus_layout_pieces *pieces = caucus_array(1, sizeof *pieces);
    *made = NULL;
    if (!pieces)
        return CAUCUS_NO_MEMORY;
    pieces->count = count;
    int status = fill(pieces, counts, displacements, map);
    if (status)
        caucus_layout_pieces_free(pieces);
    else
        *made = pieces;
    return status;
}

void caucus_layout_pieces_free(struct caucus_layout_pieces *pieces) {
    if (!pieces)
        return;
    free(pieces->at);
    free(pieces->packed);
    free(pieces);
}

static inline int64_t packed_at(const struct caucus_layout_pieces *pieces, int64_t piece) {
    return pieces->packed ? pieces->packed[piece] : piece * pieces->size;
}

/* The piece that has a packed byte. */
static int64_t find(const struct caucus_layout_pieces *pieces, int64_t offset) {
    if (!pieces->packed)
        return offset / pieces->size;
    int64_t low = 0, high = pieces->count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (pieces->packed[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

char *caucus_layout_pieces_address(const struct caucus_layout_pieces *pieces, char *base,
                                   int64_t offset, int64_t length) {
    int64_t piece = find(pieces, offset), skip = offset - packed_at(pieces, piece);
    return offset + length > packed_at(pieces, piece + 1)
               ? NULL
               : caucus_layout_shifted(base, pieces->at[piece] + skip);
}

/* Short pieces in blocks, of which the last two overlap: a call takes as long as such a piece. */
static inline void copy(char *restrict to, const char *restrict from, int64_t length) {
    enum { HALF = 8, BLOCK = 16, SHORT = 16 * BLOCK };
    if (length > SHORT || length < HALF) {
        memcpy(to, from, (size_t)length);
    } else if (length < BLOCK) {
        memcpy(to, from, HALF);
        memcpy(to + length - HALF, from + length - HALF, HALF);
    } else {
        for (int64_t i = 0; i < length - BLOCK; i += BLOCK)
            memcpy(to + i, from + i, BLOCK);
        memcpy(to + length - BLOCK, from + length - BLOCK, BLOCK);
    }
}

static inline void move_piece(char *at, char *packed, int64_t length, bool packs) {
    if (packs)
        copy(packed, at, length);
    else
        copy(at, packed, length);
}

/* Whole pieces of one size, which the compiler knows if it is one of the usual ones. */
static inline void move_alike(const int64_t *at, int64_t count, int64_t size, char *base,
                              char *packed, bool packs) {
    if (packs)
        for (int64_t i = 0; i < count; i++)
            memcpy(packed + i * size, caucus_layout_shifted(base, at[i]), (size_t)size);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(caucus_layout_shifted(base, at[i]), packed + i * size, (size_t)size);
}

static void move_sized(const struct caucus_layout_pieces *pieces, int64_t first, int64_t count,
                       char *base, char *packed, bool packs) {
    const int64_t *at = pieces->at + first;
    switch (pieces->size) {
    case 1:
        move_alike(at, count, 1, base, packed, packs);
        break;
    case 4:
        move_alike(at, count, 4, base, packed, packs);
        break;
    case 8:
        move_alike(at, count, 8, base, packed, packs);
        break;
    case 16:
        move_alike(at, count, 16, base, packed, packs);
        break;
    case 24:
        move_alike(at, count, 24, base, packed, packs);
        break;
    case 32:
        move_alike(at, count, 32, base, packed, packs);
        break;
    case 64:
        move_alike(at, count, 64, base, packed, packs);
        break;
    default:
        move_alike(at, count, pieces->size, base, packed, packs);
    }
}

static void move_varying(const struct caucus_layout_pieces *pieces, int64_t first, int64_t end,
                         char *base, char *packed, bool packs) {
    const int64_t *before = pieces->packed;
    int64_t from = before[first];
    for (int64_t i = first; i < end; i++)
        move_piece(caucus_layout_shifted(base, pieces->at[i]), packed + before[i] - from,
                   before[i + 1] - before[i], packs);
}

/* One by one: each is a copy of the runtime's. */
static int move_on_device(const struct caucus_layout_pieces *pieces, char *base, int64_t offset,
                          int64_t length, char *packed, bool packs) {
    int status = CAUCUS_OK;
    for (int64_t i = find(pieces, offset); length > 0 && !status; i++) {
        int64_t rest = packed_at(pieces, i + 1) - offset, skip = offset - packed_at(pieces, i);
        int64_t part = rest < length ? rest : length;
        status = caucus_device_move(caucus_layout_shifted(base, pieces->at[i] + skip), part, 1, 0,
                                    packed, packs);
        offset += part;
        length -= part;
        packed += part;
    }
    return status;
}

/* The rest of a piece that is begun, whole pieces, the begin of another one. */
static void move_on_host(const struct caucus_layout_pieces *pieces, char *base, int64_t offset,
                         int64_t length, char *packed, bool packs) {
    int64_t first = find(pieces, offset), skip = offset - packed_at(pieces, first);
    int64_t last = find(pieces, offset + length - 1), end = offset + length;
    if (skip > 0 || first == last) {
        int64_t rest = packed_at(pieces, first + 1) - offset;
        int64_t head = rest < length ? rest : length;
        move_piece(caucus_layout_shifted(base, pieces->at[first] + skip), packed, head, packs);
        packed += head;
        first++;
    }
    if (first > last)
        return;
    if (pieces->packed)
        move_varying(pieces, first, last, base, packed, packs);
    else
        move_sized(pieces, first, last - first, base, packed, packs);
    packed += packed_at(pieces, last) - packed_at(pieces, first);
    move_piece(caucus_layout_shifted(base, pieces->at[last]), packed, end - packed_at(pieces, last),
               packs);
}

int caucus_layout_pieces_move(const struct caucus_layout *layout, int64_t offset, int64_t length,
                              char *packed, bool packs) {
    if (layout->on_device)
        return move_on_device(layout->pieces, layout->base, offset, length, packed, packs);
    move_on_host(layout->pieces, layout->base, offset, length, packed, packs);
    return CAUCUS_OK;
}
