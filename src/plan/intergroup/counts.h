/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes before an allgatherv or a reduce_scatter between two groups: each rank gets the lengths
 * that MPI does not tell it, from the other group, where everybody has them.
 *
 *                    in: what this rank has          out: what it gets
 *   allgatherv       the other group's lengths       the own group's, which is then send_bytes
 *   reduce_scatter   the own group's lengths         the other group's, likewise
 *
 * Both are arrays of 8 bytes (int64_t, in packed bytes of the blocks) for each rank of that group,
 * in its order; in is what the task has for receive_bytes. An entry of out for this rank itself is
 * there too, as a rank of the other group sees it: in an allgatherv, where it differs from the own
 * block, the two groups do not agree. */
#ifndef CAUCUS_PLAN_INTERGROUP_COUNTS_H
#define CAUCUS_PLAN_INTERGROUP_COUNTS_H

#include "plan/intergroup/intergroup.h"

/* Whether a rank of the smaller group would have to tell the other one so many bytes of lengths, to
 * each of its ranks all, that these had better come round within that group. */
bool caucus_intergroup_counts_go_round(int32_t first_group, int32_t ranks);

/* This rank's schedule; ranks and rank are of the union. Fails for other collectives. */
int caucus_intergroup_counts_build(enum caucus_collective collective, int32_t first_group,
                                   int32_t ranks, int32_t rank, struct caucus_schedule *schedule);

#endif
