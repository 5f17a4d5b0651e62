/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/view.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

static int too_long(void) {
    return caucus_fail(CAUCUS_BAD_COUNT, "the buffer is longer than 2^63 bytes");
}

static int measure(MPI_Datatype type, int64_t *size, int64_t *extent) {
    MPI_Count bytes;
    MPI_Aint lower, span;
    int status = caucus_mpi_status(PMPI_Type_size_x(type, &bytes), "MPI_Type_size_x");
    if (!status)
        status =
            caucus_mpi_status(PMPI_Type_get_extent(type, &lower, &span), "MPI_Type_get_extent");
    if (!status) {
        *size = bytes;
        *extent = span;
    }
    return status;
}

static int in_a_row(struct caucus_view *view, int64_t elements, int64_t blocks) {
    int64_t size, extent;
    int status = measure(view->type, &size, &extent);
    if (status)
        return status;
    if (__builtin_mul_overflow(elements, size, &view->block_bytes) ||
        __builtin_mul_overflow(view->block_bytes, blocks, &view->bytes))
        return too_long();
    view->elements = elements * blocks;
    return CAUCUS_OK;
}

static int make_arrays(struct caucus_view *view, bool typed) {
    view->counts = caucus_array(view->blocks, sizeof *view->counts);
    view->displacements = caucus_array(view->blocks, sizeof *view->displacements);
    view->lengths = caucus_array(view->blocks, sizeof *view->lengths);
    if (typed)
        view->types = caucus_array(view->blocks, sizeof(MPI_Datatype));
    bool made =
        view->counts && view->displacements && view->lengths && (!typed || view->types != NULL);
    return made ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Block `at` of the task, which is the user's block `block`. */
static int fill_block(struct caucus_view *view, enum caucus_side_kind kind,
                      const struct caucus_side *side, int32_t at, int32_t block) {
    MPI_Datatype type = kind == CAUCUS_SIDE_TYPED ? side->types[block] : side->type;
    int64_t size = 0, extent = 0, *place = &view->displacements[at];
    int64_t count = kind == CAUCUS_SIDE_EACH ? side->count : caucus_number(&side->counts, block);
    int status = CAUCUS_OK;
    if (count > 0 || kind != CAUCUS_SIDE_TYPED) /* types of empty blocks may be anything */
        status = measure(type, &size, &extent);
    else
        type = MPI_BYTE;
    if (status)
        return status;
    bool overflow = __builtin_mul_overflow(count, size, &view->lengths[at]) ||
                    __builtin_add_overflow(view->bytes, view->lengths[at], &view->bytes);
    if (view->lengths[at] == 0) /* nor does it matter where they would be */
        *place = 0;
    else if (kind == CAUCUS_SIDE_EACH)
        overflow |= __builtin_mul_overflow(count, extent, place) ||
                    __builtin_mul_overflow((int64_t)block, *place, place);
    else if (kind == CAUCUS_SIDE_TYPED)
        *place = caucus_number(&side->displacements, block);
    else
        overflow |=
            __builtin_mul_overflow(caucus_number(&side->displacements, block), extent, place);
    view->counts[at] = count;
    if (view->types)
        view->types[at] = type;
    return overflow ? too_long() : CAUCUS_OK;
}

static int block_by_block(struct caucus_view *view, enum caucus_side_kind kind,
                          const struct caucus_side *side, const int32_t *order) {
    int status = make_arrays(view, kind == CAUCUS_SIDE_TYPED);
    for (int32_t at = 0; at < view->blocks && !status; at++)
        status = fill_block(view, kind, side, at, order ? order[at] : at);
    if (!status && view->blocks > 0)
        view->block_bytes = view->lengths[0];
    return status;
}

/* The blocks of reduce_scatter: their lengths matter, but they follow one another. */
static int parts(struct caucus_view *view, const struct caucus_side *side, int32_t blocks,
                 int32_t own, bool total) {
    int64_t size, extent, sum = 0;
    if (!side->counts.entry)
        return in_a_row(view, side->count, total ? blocks : 1);
    int status = measure(view->type, &size, &extent);
    if (status)
        return status;
    view->blocks = blocks;
    view->lengths = caucus_array(blocks, sizeof *view->lengths);
    if (!view->lengths)
        return CAUCUS_NO_MEMORY;
    for (int32_t block = 0; block < blocks; block++) {
        int64_t count = caucus_number(&side->counts, block);
        if (__builtin_mul_overflow(count, size, &view->lengths[block]) ||
            __builtin_add_overflow(sum, count, &sum) || (size && sum > INT64_MAX / size))
            return too_long();
    }
    view->elements = total ? sum : caucus_number(&side->counts, own);
    view->block_bytes = view->lengths[own];
    view->bytes = view->elements * size;
    return CAUCUS_OK;
}

static int fill(struct caucus_view *view, enum caucus_side_kind kind,
                const struct caucus_side *side, const int32_t *order, int32_t own) {
    switch (kind) {
    case CAUCUS_SIDE_ABSENT:
        return CAUCUS_OK;
    case CAUCUS_SIDE_ONE:
        return in_a_row(view, side->count, 1);
    case CAUCUS_SIDE_EACH:
        if (!order)
            return in_a_row(view, side->count, view->blocks);
        break;
    case CAUCUS_SIDE_TOTAL:
    case CAUCUS_SIDE_OWN:
        return parts(view, side, view->blocks, own, kind == CAUCUS_SIDE_TOTAL);
    default:
        break;
    }
    return block_by_block(view, kind, side, order);
}

int caucus_view_create(struct caucus_view *view, enum caucus_side_kind kind,
                       const struct caucus_side *side, int32_t blocks, const int32_t *order,
                       int32_t own) {
    *view = (struct caucus_view){.base = side->buffer, .type = side->type, .blocks = blocks};
    if (kind == CAUCUS_SIDE_ABSENT)
        view->type = MPI_BYTE;
    int status = fill(view, kind, side, order, own);
    if (status)
        caucus_view_free(view);
    return status;
}

void caucus_view_free(struct caucus_view *view) {
    free(view->counts);
    free(view->displacements);
    free(view->lengths);
    free(view->types);
    view->counts = view->displacements = view->lengths = NULL;
    view->types = NULL;
}

static int layout_of(const struct caucus_view *view, int32_t first, int32_t blocks,
                     struct caucus_layout *layout) {
    const MPI_Datatype *types = view->types ? view->types + first : &view->type;
    return caucus_layout_blocks(layout, view->base, blocks, view->counts + first,
                                view->displacements + first, types, !view->types);
}

int caucus_view_layout(const struct caucus_view *view, struct caucus_layout *layout) {
    if (view->counts)
        return layout_of(view, 0, view->blocks, layout);
    return caucus_layout_elements(layout, view->base, view->elements, view->type);
}

int caucus_view_block_layout(const struct caucus_view *view, int32_t block,
                             struct caucus_layout *layout) {
    int64_t size, extent, count = view->blocks > 0 ? view->elements / view->blocks : 0;
    if (view->counts)
        return layout_of(view, block, 1, layout);
    int status = measure(view->type, &size, &extent);
    return status ? status
                  : caucus_layout_elements(layout, (char *)view->base + block * count * extent,
                                           count, view->type);
}
