/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding and moving packed bytes of a user's buffer. */
#include "run/layout/layout.h"

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

static void move(const struct caucus_layout *layout, int64_t offset, int64_t length, char *packed,
                 bool packs) {
    if (layout->pieces) {
        caucus_layout_pieces_move(layout->pieces, layout->base, offset, length, packed, packs);
        return;
    }
    for (int32_t i = find(layout, offset); length > 0; i++) {
        const struct caucus_layout_block *block = &layout->block[i];
        const struct caucus_type_map *map = block->map;
        int64_t skip = offset - block->packed_at, rest = block->count * map->size - skip;
        int64_t piece = rest < length ? rest : length;
        caucus_pattern_move(map->pattern, caucus_layout_shifted(layout->base, block->displacement),
                            map->extent, skip, piece, packed, packs);
        offset += piece;
        length -= piece;
        packed += piece;
    }
}

void caucus_layout_pack(const struct caucus_layout *layout, int64_t offset, int64_t length,
                        void *packed) {
    if (layout->flat && length > 0)
        memcpy(packed, caucus_layout_address(layout, offset, length), (size_t)length);
    else
        move(layout, offset, length, packed, true);
}

void caucus_layout_unpack(const struct caucus_layout *layout, int64_t offset, int64_t length,
                          const void *packed) {
    if (layout->flat && length > 0)
        memcpy(caucus_layout_address(layout, offset, length), packed, (size_t)length);
    else
        move(layout, offset, length, (char *)(uintptr_t)packed, false);
}
