/* SPDX-License-Identifier: BSD-3-Clause */
/* A group of ranks in halves, these again, and so on down to single ranks: the tree over which
 * vectors are combined in the order of ranks, for any number of ranks. The lower half has as many
 * ranks as the upper one, or one more, so there are ⌈log2 p⌉ levels. And a vector shared out among
 * the halves, by recursive halving.
 *
 * At each level both halves have the whole vector, every rank of a half a share of it; when halves
 * come together, shares shrink. The i-th share of the whole goes, in turns, to a rank of the lower
 * half and one of the upper half, such that it lies within what this rank had before:
 *
 *   5 ranks of a lower half    | 0     | 1     | 2     | 3     | 4     |
 *   4 ranks of an upper half   | 0       | 1       | 2       | 3       |
 *   all 9 together             | 0 | 0 | 1 | 1 | 2 | 2 | 3 | 3 | 4 |
 *
 * So a rank sends at most to two ranks of the other half, those beside it, and in total no byte
 * twice: p - 1 p-ths of the vector, as little as there can be, in ⌈log2 p⌉ rounds. */
#ifndef CAUCUS_PLAN_COLLECTIVE_HALVING_H
#define CAUCUS_PLAN_COLLECTIVE_HALVING_H

#include "plan/collective/task.h"
#include "plan/collective/vector.h"
#include "plan/machine/model.h"

enum { CAUCUS_HALVES_LEVELS = 31 };

/* A level as one rank sees it: the half that it is in, and the other one. */
struct caucus_halves {
    int32_t first, size;
    int32_t other_first, other_size;
    bool lower; /* the half that it is in */
};

/* Level 0 is the whole group cut in two; at the last level the rank is a half by itself. Returns
 * how many there are. */
int caucus_halves_of(int32_t size, int32_t rank, struct caucus_halves levels[CAUCUS_HALVES_LEVELS]);

/* Where shares begin in each half of a level, if not evenly: size + 1 entries, other_size + 1. */
struct caucus_halving_cuts {
    int64_t *mine, *other;
};

struct caucus_halving {
    int levels;
    int32_t position; /* which share of all this rank has; at level k, position >> (k + 1) in its
                         half */
    struct caucus_cuts whole; /* the shares of all */
    struct caucus_halves halves[CAUCUS_HALVES_LEVELS];
    struct caucus_halving_cuts cuts[CAUCUS_HALVES_LEVELS];
    int64_t *memory; /* of the cuts */
};

/* Which rank of a group has a share. */
int32_t caucus_halving_rank(int32_t size, int32_t position);

/* To be freed; on failure the builder fails and there are no levels. */
void caucus_halving_init(struct caucus_halving *halving, struct caucus_builder *builder,
                         const struct caucus_cuts *shares);
void caucus_halving_free(struct caucus_halving *halving);

/* The bytes of this rank's share, and those that it ever has to combine. */
struct caucus_range caucus_halving_share(const struct caucus_halving *halving);
struct caucus_range caucus_halving_widest(const struct caucus_halving *halving);

/* Combines: returns where byte 0 of the vector would be in the buffer that holds this rank's share
 * now, which is one of first and second. Byte 0 is at in, first and second too; of these two only
 * the widest range is used. in may be the same as first, else it is not written. */
struct caucus_place caucus_halving_reduce(const struct caucus_halving *halving,
                                          struct caucus_builder *builder, struct caucus_place in,
                                          struct caucus_place first, struct caucus_place second);

/* Backwards: from shares to the whole vector at root, or at all ranks if root is -1. */
void caucus_halving_gather(const struct caucus_halving *halving, struct caucus_builder *builder,
                           int32_t root, struct caucus_place data);

/* Of a task's volume, one way. */
double caucus_halving_cost(const struct caucus_task *task, const struct caucus_model *model,
                           bool reduces);

#endif
