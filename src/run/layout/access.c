/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding and moving packed bytes of a user's buffer. */
#include "run/layout/layout.h"

#include "base/status.h"
#include "run/layout/device.h"
#include "run/layout/pattern.h"
#include "run/layout/pieces.h"

#include <string.h>

/* The last block that begins at or before offset: none is empty. */
static int32_t find(const struct caucus_layout *layout, int64_t offset) {
    int32_t low = 0, high = offset > 0 ? layout->blocks : 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (layout->block[middle].packed_at <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

char *caucus_layout_address(const struct caucus_layout *layout, int64_t offset, int64_t length) {
    if (layout->on_device)
        return NULL;
    if (layout->flat)
        return caucus_layout_shifted(layout->base, layout->flat_at + offset);
    if (layout->pieces)
        return caucus_layout_pieces_address(layout->pieces, layout->base, offset, length);
    const struct caucus_layout_block *block = &layout->block[find(layout, offset)];
    const struct caucus_type_map *map = block->map;
    char *at = caucus_layout_shifted(layout->base, block->displacement);
    offset -= block->packed_at;
    if (offset + length > block->count * map->size)
        return NULL;
    if (map->dense)
        return caucus_layout_shifted(at, map->run_at + offset);
    at = caucus_layout_shifted(at, offset / map->size * map->extent);
    offset %= map->size;
    return offset + length > map->size ? NULL
                                       : caucus_pattern_address(map->pattern, at, offset, length);
}

static int move(const struct caucus_layout *layout, int64_t offset, int64_t length, char *packed,
                bool packs) {
    int status = CAUCUS_OK;
    if (layout->pieces)
        return caucus_layout_pieces_move(layout, offset, length, packed, packs);
    for (int32_t i = find(layout, offset); length > 0 && !status; i++) {
        const struct caucus_layout_block *block = &layout->block[i];
        const struct caucus_type_map *map = block->map;
        int64_t skip = offset - block->packed_at, rest = block->count * map->size - skip;
        int64_t piece = rest < length ? rest : length;
        struct caucus_pattern_move moved = {packed, packs, layout->on_device, CAUCUS_OK};
        caucus_pattern_move(map->pattern, caucus_layout_shifted(layout->base, block->displacement),
                            map->extent, skip, piece, &moved);
        status = moved.status;
        offset += piece;
        length -= piece;
        packed += piece;
    }
    return status;
}

static int move_flat(const struct caucus_layout *layout, int64_t offset, int64_t length,
                     char *packed, bool packs) {
    char *at = caucus_layout_shifted(layout->base, layout->flat_at + offset);
    if (layout->on_device)
        return caucus_device_move(at, length, 1, 0, packed, packs);
    if (packs)
        memcpy(packed, at, (size_t)length);
    else
        memcpy(at, packed, (size_t)length);
    return CAUCUS_OK;
}

int caucus_layout_pack(const struct caucus_layout *layout, int64_t offset, int64_t length,
                       void *packed) {
    if (length == 0)
        return CAUCUS_OK;
    return layout->flat ? move_flat(layout, offset, length, packed, true)
                        : move(layout, offset, length, packed, true);
}

int caucus_layout_unpack(const struct caucus_layout *layout, int64_t offset, int64_t length,
                         const void *packed) {
    char *from = (char *)(uintptr_t)packed;
    if (length == 0)
        return CAUCUS_OK;
    return layout->flat ? move_flat(layout, offset, length, from, false)
                        : move(layout, offset, length, from, false);
}
