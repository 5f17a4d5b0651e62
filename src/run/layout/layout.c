/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/layout.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/layout/contents.h"
#include "run/layout/device.h"
#include "run/layout/pieces.h"

#include <stdlib.h>

/* Whether elements of the type follow one another without gaps; the size is set then. Most types
 * are predefined, and need no map. */
static bool is_plainly_dense(MPI_Datatype type, int64_t *bytes) {
    int size;
    MPI_Aint lower, extent;
    if (!caucus_type_is_named(type) || PMPI_Type_size(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS)
        return false;
    *bytes = size;
    return lower == 0 && extent == size;
}

static int too_long(void) {
    return caucus_fail(CAUCUS_BAD_ARGUMENT, "a buffer is longer than 2^63 bytes");
}

/* Appends count elements; maps are shared between blocks and counted. */
static int append(struct caucus_layout *layout, int64_t count, int64_t displacement,
                  struct caucus_type_map *map) {
    int64_t bytes;
    if (__builtin_mul_overflow(count, map->size, &bytes) ||
        __builtin_add_overflow(layout->bytes, bytes, &bytes))
        return too_long();
    if (bytes == layout->bytes)
        return CAUCUS_OK;
    map->references++;
    layout->block[layout->blocks++] =
        (struct caucus_layout_block){layout->bytes, displacement, count, map};
    layout->bytes = bytes;
    return CAUCUS_OK;
}

static void ask_device(struct caucus_layout *layout, const void *first) {
    layout->on_device = caucus_device_holds(first);
    layout->suits_mpi = layout->on_device && layout->bytes >= CAUCUS_LAYOUT_STRAIGHT &&
                        caucus_device_suits_mpi(first);
}

/* What lies at absolute addresses may lie in several memories: each piece is asked for later. */
static void find_device(struct caucus_layout *layout) {
    if (layout->bytes > 0 && layout->base)
        ask_device(layout, caucus_layout_address(layout, 0, 1));
    else
        layout->on_device = layout->bytes > 0 && caucus_device_look();
}

static bool is_block_flat(const struct caucus_layout_block *block) {
    return block->map->dense || (block->count == 1 && block->map->is_run);
}

static void find_flat(struct caucus_layout *layout) {
    layout->flat = true;
    for (int32_t i = 0; i < layout->blocks && layout->flat; i++) {
        const struct caucus_layout_block *block = &layout->block[i];
        int64_t at = block->displacement + block->map->run_at;
        if (i == 0)
            layout->flat_at = at;
        layout->flat = is_block_flat(block) && at == layout->flat_at + block->packed_at;
    }
}

int caucus_layout_elements(struct caucus_layout *layout, void *base, int64_t count,
                           MPI_Datatype type) {
    int64_t displacement = 0, size = 0;
    *layout = (struct caucus_layout){.base = base, .flat = true};
    if (count == 0)
        return CAUCUS_OK;
    if (is_plainly_dense(type, &size)) {
        if (__builtin_mul_overflow(count, size, &layout->bytes))
            return too_long();
        ask_device(layout, base);
        return CAUCUS_OK;
    }
    return caucus_layout_blocks(layout, base, 1, &count, &displacement, &type, true);
}

static int add_blocks(struct caucus_layout *layout, int32_t blocks, const int64_t *counts,
                      const int64_t *displacements, const MPI_Datatype *types, bool same_type) {
    struct caucus_type_map *map = NULL;
    int status = CAUCUS_OK;
    for (int32_t i = 0; i < blocks && !status; i++) {
        bool known = map && (same_type || types[i] == types[i - 1]);
        if (!known) {
            caucus_type_map_release(map);
            map = NULL;
            if (counts[i] == 0 && !same_type) /* its type need not even be one */
                continue;
            status = caucus_type_map_create(types[same_type ? 0 : i], &map);
        }
        if (!status)
            status = append(layout, counts[i], displacements[i], map);
    }
    caucus_type_map_release(map);
    return status;
}

int caucus_layout_blocks(struct caucus_layout *layout, void *base, int32_t blocks,
                         const int64_t *counts, const int64_t *displacements,
                         const MPI_Datatype *types, bool same_type) {
    *layout = (struct caucus_layout){.base = base};
    layout->block = caucus_array(blocks, sizeof *layout->block);
    int status = layout->block ? add_blocks(layout, blocks, counts, displacements, types, same_type)
                               : CAUCUS_NO_MEMORY;
    if (status) {
        caucus_layout_free(layout);
        return status;
    }
    find_flat(layout);
    find_device(layout);
    return CAUCUS_OK;
}

static int make_pieces(struct caucus_layout *layout, void *base, int64_t blocks,
                       const int64_t *counts, const int64_t *displacements,
                       const struct caucus_type_map *map) {
    *layout = (struct caucus_layout){.base = base};
    for (int64_t i = 0; i < blocks; i++) {
        int64_t bytes;
        if (__builtin_mul_overflow(counts[i], map->size, &bytes) ||
            __builtin_add_overflow(layout->bytes, bytes, &layout->bytes))
            return too_long();
    }
    int status = caucus_layout_pieces_create(&layout->pieces, blocks, counts, displacements, map);
    if (!status)
        find_device(layout);
    return status;
}

int caucus_layout_many(struct caucus_layout *layout, void *base, int64_t blocks,
                       const int64_t *counts, const int64_t *displacements, MPI_Datatype type) {
    struct caucus_type_map *map;
    int status = caucus_type_map_create(type, &map);
    if (status)
        return status;
    if (blocks > 1 && map->dense && map->size > 0)
        status = make_pieces(layout, base, blocks, counts, displacements, map);
    else if (blocks > INT32_MAX)
        status = caucus_fail(CAUCUS_NO_MEMORY, "a buffer has %lld pieces, more than 2^31 - 1",
                             (long long)blocks);
    else
        status =
            caucus_layout_blocks(layout, base, (int32_t)blocks, counts, displacements, &type, true);
    caucus_type_map_release(map);
    return status;
}

void caucus_layout_free(struct caucus_layout *layout) {
    caucus_layout_pieces_free(layout->pieces);
    for (int32_t i = 0; i < layout->blocks; i++)
        caucus_type_map_release(layout->block[i].map);
    free(layout->block);
    *layout = (struct caucus_layout){0};
}
