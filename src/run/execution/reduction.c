/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/execution/reduction.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/layout/contents.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

enum { PIECE = 1 << 16, LONGEST = 1 << 30, WIDEST_ALIGNMENT = 16 };

/* Functions get the very handle for what is predefined: a user's may compare it, and MPI's take no
 * duplicate. A derived type may be freed by its owner, and is kept by a duplicate. */
static int keep_type(struct caucus_reduction *reduction, MPI_Datatype type) {
    reduction->type = type;
    if (caucus_type_is_predefined(type))
        return CAUCUS_OK;
    int status = caucus_mpi_status(PMPI_Type_dup(type, &reduction->type), "MPI_Type_dup");
    reduction->owns_type = !status;
    return status;
}

/* Whether packed elements are just as the datatype has them, and how they must be aligned. */
static int find_alignment(struct caucus_reduction *reduction) {
    struct caucus_type_map *map;
    int status = caucus_type_map_create(reduction->type, &map);
    if (status)
        return status;
    reduction->size = map->size;
    if (map->dense && map->true_lower == 0) {
        /* A user's function may hold elements to be aligned as no line is. */
        bool widest = !reduction->kernel && map->extent % WIDEST_ALIGNMENT == 0;
        reduction->alignment = widest ? WIDEST_ALIGNMENT : 1;
    }
    caucus_type_map_release(map);
    return CAUCUS_OK;
}

int caucus_reduction_init(struct caucus_reduction *reduction, MPI_Op op, MPI_Datatype type) {
    *reduction = (struct caucus_reduction){.op = op, .type = MPI_DATATYPE_NULL};
    if (op == MPI_OP_NULL)
        return CAUCUS_OK;
    reduction->kernel = caucus_kernel_find(op, type);
    if (reduction->kernel) {
        int size;
        reduction->type = type;
        reduction->alignment = 1;
        int status = caucus_mpi_status(PMPI_Type_size(type, &size), "MPI_Type_size");
        reduction->size = size;
        return status;
    }
    int status = keep_type(reduction, type);
    if (!status)
        status = find_alignment(reduction);
    if (status)
        caucus_reduction_free(reduction);
    return status;
}

void caucus_reduction_free(struct caucus_reduction *reduction) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (reduction->owns_type && !finalized)
        PMPI_Type_free(&reduction->type);
    reduction->owns_type = false;
    caucus_layout_free(&reduction->source);
    caucus_layout_free(&reduction->target);
    free(reduction->room);
    free(reduction->packed);
    reduction->room = reduction->packed = NULL;
}

static int64_t round_up(int64_t bytes) {
    return (bytes + WIDEST_ALIGNMENT - 1) & -(int64_t)WIDEST_ALIGNMENT;
}

/* Two runs of elements as the datatype has them; their origins are aligned, wherever their lowest
 * bytes are. */
static int lay_out(struct caucus_reduction *reduction, const struct caucus_type_map *map) {
    int64_t extent = map->extent < 0 ? -map->extent : map->extent;
    reduction->elements = extent < PIECE ? PIECE / (extent > 0 ? extent : PIECE) : 1;
    int64_t span = (reduction->elements - 1) * extent;
    int64_t bytes = round_up(map->true_extent + span + WIDEST_ALIGNMENT);
    int64_t origin = round_up((map->extent < 0 ? span : 0) - map->true_lower);
    reduction->room = caucus_array(2 * bytes, 1);
    reduction->packed = caucus_array(reduction->elements, (size_t)map->size);
    if (!reduction->room || !reduction->packed)
        return CAUCUS_NO_MEMORY;
    char *first = reduction->room + origin;
    int status =
        caucus_layout_elements(&reduction->source, first, reduction->elements, reduction->type);
    return status ? status
                  : caucus_layout_elements(&reduction->target, first + bytes, reduction->elements,
                                           reduction->type);
}

int caucus_reduction_reserve(struct caucus_reduction *reduction) {
    struct caucus_type_map *map;
    if (reduction->op == MPI_OP_NULL || reduction->elements > 0)
        return CAUCUS_OK;
    int status = caucus_type_map_create(reduction->type, &map);
    if (status)
        return status;
    status = lay_out(reduction, map);
    caucus_type_map_release(map);
    return status;
}

int caucus_reduction_apply(const struct caucus_reduction *reduction, const void *source,
                           void *target, int64_t elements) {
    if (reduction->kernel) {
        reduction->kernel(source, target, elements);
        return CAUCUS_OK;
    }
    const char *from = source;
    char *into = target;
    int status = CAUCUS_OK;
    while (elements > 0 && !status) {
        int64_t piece = elements < LONGEST ? elements : LONGEST;
        status = caucus_mpi_status(
            PMPI_Reduce_local(from, into, (int)piece, reduction->type, reduction->op),
            "MPI_Reduce_local");
        /* Only what is packed without gaps is longer than a piece. */
        from += piece * reduction->size;
        into += piece * reduction->size;
        elements -= piece;
    }
    return status;
}
