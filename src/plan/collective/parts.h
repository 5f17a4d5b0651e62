/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms as parts of others: each works among the builder's group on places that it is given.
 * What an algorithm file gives to others is declared here, and defined in the file that bears its
 * name. All ranks of the group call it with matching arguments. */
#ifndef CAUCUS_PLAN_COLLECTIVE_PARTS_H
#define CAUCUS_PLAN_COLLECTIVE_PARTS_H

#include "plan/collective/blocks.h"
#include "plan/collective/vector.h"
#include "plan/schedule/builder.h"

void caucus_barrier_by_dissemination(struct caucus_builder *builder);

/* Group rank i has block i at own, and the root gets all in their places; a scatter is the other
 * way round. All ranks know all lengths. A root whose own is its block's place in all works in
 * place. */
void caucus_rooted_by_binomial(struct caucus_builder *builder, bool gathers, int32_t root,
                               struct caucus_place own, const struct caucus_blocks *all);

/* Every rank has its own block in its place, and gets all others. All know all lengths; the places
 * are a rank's own affair. */
void caucus_allgather_by_bruck(struct caucus_builder *builder, const struct caucus_blocks *all);
void caucus_allgather_by_ring(struct caucus_builder *builder, const struct caucus_blocks *all);

/* A vector in one place, of which the root has the contents. segment: bytes of a block, 0 for a
 * choice by bytes and size. */
void caucus_bcast_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place data,
                            int64_t bytes);
void caucus_bcast_by_circulant(struct caucus_builder *builder, int32_t root,
                               struct caucus_place data, int64_t bytes, int64_t segment);

/* Reductions of vectors: in is never written, unless it is the very place of out, which works in
 * place. Else the two do not overlap. They are never cut but at multiples of element. Operands are
 * combined in the order of group ranks, except by what is said to be commutative. */

/* out counts at the root alone. */
void caucus_reduce_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                             struct caucus_place out, int64_t bytes, bool commutative);
/* Every rank may be a root: that is an allreduce. */
enum { CAUCUS_EVERY_ROOT = -1 };
void caucus_reduce_by_recursive_halving(struct caucus_builder *builder, int32_t root,
                                        struct caucus_place in, struct caucus_place out,
                                        int64_t bytes, int64_t element);
/* Of the operands of all others: the root has none. Commutative. */
void caucus_reduce_by_circulant_to(struct caucus_builder *builder, int32_t root,
                                   struct caucus_place in, struct caucus_place out, int64_t bytes,
                                   int64_t element, int64_t segment);

void caucus_allreduce_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                            struct caucus_place out, int64_t bytes);
/* Commutative. */
void caucus_allreduce_by_circulant(struct caucus_builder *builder, struct caucus_place in,
                                   struct caucus_place out, int64_t bytes, int64_t element);

/* Group rank i gets the combination of all parts i of in, at out, which may be anywhere in in, but
 * only if in may be written. */
void caucus_reduce_scatter_by_recursive_halving(struct caucus_builder *builder,
                                                struct caucus_place in, struct caucus_place out,
                                                const struct caucus_cuts *cuts);
/* Commutative. */
void caucus_reduce_scatter_by_circulant(struct caucus_builder *builder, struct caucus_place in,
                                        struct caucus_place out, const struct caucus_cuts *cuts);

/* The other way round, counted from root on: i has part i of data, and gets all others. */
void caucus_allgather_by_circulant(struct caucus_builder *builder, int32_t root,
                                   struct caucus_place data, const struct caucus_cuts *cuts);

/* Group rank 0's out is left alone. */
void caucus_exscan_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                         struct caucus_place out, int64_t bytes);
/* That it takes, and of these, those in which a rank sends on what it has just got. */
int caucus_exscan_rounds(int32_t ranks);
int caucus_exscan_waits(int32_t ranks);

#endif
