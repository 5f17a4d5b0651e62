/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms as parts of others: each works among the builder's group on places that it is given.
 * What an algorithm file gives to others is declared here, and defined in the file that bears its
 * name. All ranks of the group call it with matching arguments. */
#ifndef CAUCUS_PLAN_COLLECTIVE_PARTS_H
#define CAUCUS_PLAN_COLLECTIVE_PARTS_H

#include "plan/collective/blocks.h"
#include "plan/schedule/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

void caucus_barrier_by_dissemination(struct caucus_builder *builder);

/* Group rank i has block i at own, and the root gets all in their places. By linear, length is that
 * of the own block and only the root knows all; by binomial, all ranks know all lengths. A root
 * whose own is its block's place in all works in place. */
void caucus_gather_by_linear(struct caucus_builder *builder, int32_t root, struct caucus_place own,
                             int64_t length, const struct caucus_blocks *all);
void caucus_gather_by_binomial(struct caucus_builder *builder, int32_t root,
                               struct caucus_place own, const struct caucus_blocks *all);

/* The other way round: the root has all blocks, and group rank i gets block i at own. */
void caucus_scatter_by_linear(struct caucus_builder *builder, int32_t root,
                              const struct caucus_blocks *all, struct caucus_place own,
                              int64_t length);
void caucus_scatter_by_binomial(struct caucus_builder *builder, int32_t root,
                                const struct caucus_blocks *all, struct caucus_place own);

/* Every rank has its own block in its place, and gets all others. All know all lengths; the places
 * are a rank's own affair. */
void caucus_allgather_by_bruck(struct caucus_builder *builder, const struct caucus_blocks *all);
void caucus_allgather_by_ring(struct caucus_builder *builder, const struct caucus_blocks *all);

/* A vector in one place, of which the root has the contents. segment: bytes of a block, 0 for a
 * choice by bytes and size. */
void caucus_bcast_by_binomial(struct caucus_builder *builder, int32_t root,
                              struct caucus_place data, int64_t bytes);
void caucus_bcast_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place data,
                            int64_t bytes);
void caucus_bcast_by_scatter_allgather(struct caucus_builder *builder, int32_t root,
                                       struct caucus_place data, int64_t bytes);
void caucus_bcast_by_circulant(struct caucus_builder *builder, int32_t root,
                               struct caucus_place data, int64_t bytes, int64_t segment);

/* Reductions of vectors: in is never written, unless it is the very place of out, which works in
 * place. Else the two do not overlap. They are never cut but at multiples of element. Operands are
 * combined in the order of group ranks, except by what is said to be commutative. */

/* out counts at the root alone. */
void caucus_reduce_by_binomial(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                               struct caucus_place out, int64_t bytes, bool commutative);
void caucus_reduce_by_postal(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                             struct caucus_place out, int64_t bytes, bool commutative);
void caucus_reduce_by_recursive_halving(struct caucus_builder *builder, int32_t root,
                                        struct caucus_place in, struct caucus_place out,
                                        int64_t bytes, int64_t element);
/* Commutative. */
void caucus_reduce_by_circulant(struct caucus_builder *builder, int32_t root,
                                struct caucus_place in, struct caucus_place out, int64_t bytes,
                                int64_t element, int64_t segment);
/* Of the operands of all others: the root has none. Commutative. */
void caucus_reduce_by_circulant_to(struct caucus_builder *builder, int32_t root,
                                   struct caucus_place in, struct caucus_place out, int64_t bytes,
                                   int64_t element, int64_t segment);

void caucus_allreduce_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                            struct caucus_place out, int64_t bytes);
void caucus_allreduce_by_recursive_halving(struct caucus_builder *builder, struct caucus_place in,
                                           struct caucus_place out, int64_t bytes, int64_t element);
/* Commutative, both. */
void caucus_allreduce_by_circulant(struct caucus_builder *builder, struct caucus_place in,
                                   struct caucus_place out, int64_t bytes, int64_t element);
void caucus_allreduce_by_ring(struct caucus_builder *builder, struct caucus_place in,
                              struct caucus_place out, int64_t bytes, int64_t element);

/* Group rank i gets the combination of all bytes cut[i] to cut[i + 1], exclusive, of in, at out.
 * cut has size + 1 entries from 0 on, which do not fall. out may be anywhere in in, but only if in
 * may be written. */
void caucus_reduce_scatter_by_pairwise(struct caucus_builder *builder, struct caucus_place in,
                                       struct caucus_place out, const int64_t *cut);
void caucus_reduce_scatter_by_recursive_halving(struct caucus_builder *builder,
                                                struct caucus_place in, struct caucus_place out,
                                                const int64_t *cut, int64_t element);
/* Commutative. */
void caucus_reduce_scatter_by_circulant(struct caucus_builder *builder, struct caucus_place in,
                                        struct caucus_place out, const int64_t *cut,
                                        int64_t element);

/* The other way round: rank i has bytes cut[i] to cut[i + 1] of data, and gets all others. */
void caucus_allgather_by_circulant(struct caucus_builder *builder, struct caucus_place data,
                                   const int64_t *cut);

void caucus_scan_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                       struct caucus_place out, int64_t bytes);
void caucus_scan_by_chain(struct caucus_builder *builder, struct caucus_place in,
                          struct caucus_place out, int64_t bytes, int64_t element, int64_t segment,
                          bool commutative);
/* Group rank 0's out is left alone. */
void caucus_exscan_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                         struct caucus_place out, int64_t bytes);
void caucus_exscan_by_chain(struct caucus_builder *builder, struct caucus_place in,
                            struct caucus_place out, int64_t bytes, int64_t element,
                            int64_t segment);

#ifdef __cplusplus
}
#endif

#endif
