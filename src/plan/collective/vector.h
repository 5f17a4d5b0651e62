/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors and how algorithms cut them: between elements, so evenly that parts differ by one. */
#ifndef CAUCUS_PLAN_COLLECTIVE_VECTOR_H
#define CAUCUS_PLAN_COLLECTIVE_VECTOR_H

#include "plan/collective/task.h"
#include "plan/schedule/builder.h"

static const struct caucus_place caucus_vector_out = {CAUCUS_BUFFER_OUT, 0};

/* Where a task's operand is: in place it is at the beginning of out, by out's name, so that parts
 * see that the two are one. */
static inline struct caucus_place caucus_vector_in(const struct caucus_task *task) {
    return (struct caucus_place){task->in_place ? CAUCUS_BUFFER_OUT : CAUCUS_BUFFER_IN, 0};
}

static inline bool caucus_same_place(struct caucus_place a, struct caucus_place b) {
    return a.buffer == b.buffer && a.offset == b.offset;
}

/* Where part index of so many begins; where the vector ends for index == parts. */
int64_t caucus_vector_cut(int64_t bytes, int64_t element, int64_t parts, int64_t index);

/* parts + 1 such, or the blocks of a task one after the other. To be freed; NULL where the builder
 * has failed. */
int64_t *caucus_vector_cuts(struct caucus_builder *builder, int64_t bytes, int64_t element,
                            int32_t parts);
int64_t *caucus_vector_block_cuts(struct caucus_builder *builder, const struct caucus_task *task);

/* The same without an array, where nobody asks for all of them: where parts begin is in at, or, if
 * this is NULL, parts are even. */
struct caucus_cuts {
    int64_t bytes, element;
    int32_t parts;
    const int64_t *at;
};

static inline int64_t caucus_cut(const struct caucus_cuts *cuts, int64_t index) {
    return cuts->at ? cuts->at[index]
                    : caucus_vector_cut(cuts->bytes, cuts->element, cuts->parts, index);
}

/* Between the blocks of a task. To be freed. */
struct caucus_cuts caucus_task_cuts(struct caucus_builder *builder, const struct caucus_task *task);
void caucus_cuts_free(struct caucus_cuts *cuts);

/* Into how many parts a vector is cut that passes through a pipeline: of segment bytes, or, where
 * this is 0, as many as suit a pipeline that is depth rounds long. At least 1. */
int64_t caucus_vector_segments(int64_t bytes, int64_t element, int64_t segment, int32_t depth);

/* Into how many pieces messages of about so many bytes are cut whose data is combined: while a
 * piece is on its way, the one before it is combined. All ranks had better have the same number. */
int64_t caucus_vector_pieces(double bytes);

/* A range of a vector, and piece i of it: empty if there is none. */
struct caucus_range {
    int64_t begin, end;
};
struct caucus_range caucus_vector_piece(struct caucus_range range, int64_t element, int64_t pieces,
                                        int64_t i);

#endif
