/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing and unpacking by a pattern. */
#include "run/layout/device.h"
#include "run/layout/layout.h"
#include "run/layout/pattern.h"

#include <stddef.h>
#include <string.h>

static void move_on_device(struct caucus_pattern_move *move, char *at, int64_t bytes, int64_t count,
                           int64_t stride) {
    if (!move->status)
        move->status = caucus_device_move(at, bytes, count, stride, move->packed, move->packs);
    move->packed += bytes * count;
}

static void move_run(struct caucus_pattern_move *move, char *at, int64_t length) {
    if (move->on_device) {
        move_on_device(move, at, length, 1, 0);
        return;
    }
    if (move->packs)
        memcpy(move->packed, at, (size_t)length);
    else
        memcpy(at, move->packed, (size_t)length);
    move->packed += length;
}

/* Runs of a few bytes, stride apart: the size is known to the compiler. */
#define STRIDED(bytes)                                                                             \
    static void move_##bytes(struct caucus_pattern_move *move, char *at, int64_t count,            \
                             int64_t stride) {                                                     \
        char *packed = move->packed;                                                               \
        if (move->packs)                                                                           \
            for (int64_t i = 0; i < count; i++)                                                    \
                memcpy(packed + i * (bytes), at + i * stride, bytes);                              \
        else                                                                                       \
            for (int64_t i = 0; i < count; i++)                                                    \
                memcpy(at + i * stride, packed + i * (bytes), bytes);                              \
        move->packed += count * (bytes);                                                           \
    }

STRIDED(1)
STRIDED(2)
STRIDED(4)
STRIDED(8)
STRIDED(16)

static void move_whole_runs(struct caucus_pattern_move *move, char *at, int64_t count,
                            int64_t stride, int64_t size) {
    if (move->on_device) {
        move_on_device(move, at, size, count, stride);
        return;
    }
    switch (size) {
    case 1:
        move_1(move, at, count, stride);
        break;
    case 2:
        move_2(move, at, count, stride);
        break;
    case 4:
        move_4(move, at, count, stride);
        break;
    case 8:
        move_8(move, at, count, stride);
        break;
    case 16:
        move_16(move, at, count, stride);
        break;
    default:
        for (int64_t i = 0; i < count; i++)
            move_run(move, at + i * stride, size);
    }
}

static void move_part(struct caucus_pattern_move *move, const struct caucus_pattern *pattern,
                      char *base, int64_t offset, int64_t length);

/* Bytes of elements that lie stride apart; their number need not be known. */
static void move_repeated(struct caucus_pattern_move *move, const struct caucus_pattern *child,
                          char *base, int64_t stride, int64_t offset, int64_t length) {
    int64_t size = child->size, index = offset / size, skip = offset % size;
    while (length > 0) {
        char *at = caucus_layout_shifted(base, index * stride);
        if (skip == 0 && length >= size && child->kind == CAUCUS_PATTERN_RUN) {
            int64_t whole = length / size;
            move_whole_runs(move, at, whole, stride, size);
            index += whole;
            length -= whole * size;
            continue;
        }
        int64_t piece = size - skip < length ? size - skip : length;
        move_part(move, child, at, skip, piece);
        length -= piece;
        skip = 0;
        index++;
    }
}

/* The last part that begins at or before offset. */
static int64_t find(const struct caucus_pattern *pattern, int64_t offset) {
    int64_t low = 0, high = offset > 0 ? pattern->count : 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (pattern->part[middle].packed_at <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void move_part(struct caucus_pattern_move *move, const struct caucus_pattern *pattern,
                      char *base, int64_t offset, int64_t length) {
    if (pattern->kind == CAUCUS_PATTERN_RUN) {
        move_run(move, caucus_layout_shifted(base, offset), length);
        return;
    }
    if (pattern->kind == CAUCUS_PATTERN_REPEAT) {
        move_repeated(move, pattern->part[0].pattern, base, pattern->stride, offset, length);
        return;
    }
    for (int64_t i = find(pattern, offset); length > 0; i++) {
        const struct caucus_part *part = &pattern->part[i];
        int64_t skip = offset - part->packed_at, rest = part->pattern->size - skip;
        int64_t piece = rest < length ? rest : length;
        move_part(move, part->pattern, caucus_layout_shifted(base, part->displacement), skip,
                  piece);
        offset += piece;
        length -= piece;
    }
}

void caucus_pattern_move(const struct caucus_pattern *pattern, char *base, int64_t extent,
                         int64_t offset, int64_t length, struct caucus_pattern_move *move) {
    if (length > 0)
        move_repeated(move, pattern, base, extent, offset, length);
}

char *caucus_pattern_address(const struct caucus_pattern *pattern, char *base, int64_t offset,
                             int64_t length) {
    while (pattern->kind != CAUCUS_PATTERN_RUN) {
        if (pattern->kind == CAUCUS_PATTERN_REPEAT) {
            const struct caucus_pattern *child = pattern->part[0].pattern;
            base = caucus_layout_shifted(base, offset / child->size * pattern->stride);
            offset %= child->size;
            pattern = child;
        } else {
            const struct caucus_part *part = &pattern->part[find(pattern, offset)];
            base = caucus_layout_shifted(base, part->displacement);
            offset -= part->packed_at;
            pattern = part->pattern;
        }
        if (offset + length > pattern->size)
            return NULL;
    }
    return caucus_layout_shifted(base, offset);
}
