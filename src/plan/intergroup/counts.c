/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths are told from group to group.
 *
 *   step 1    rank j of the other group tells those whose number is j modulo its size: all lengths
 *   or        in an allgatherv, if a rank had so many to tell that bytes count: the one of each,
 *   and then  an allgather of these over the circulant graph
 *
 * Cost: one round of 8 bytes for each rank of a group, or 1 + ⌈log2 max(p, q)⌉ rounds; a rank sends
 * as many messages either way. */
#include "plan/intergroup/counts.h"

#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/parts.h"

#include "base/status.h"

#include <stddef.h>

enum { ENTRY = sizeof(int64_t), MOST_TOLD = 1 << 16 /* bytes */ };

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

static void tell_one_each(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task);
    struct caucus_cuts cuts = {ENTRY * (int64_t)own.ranks, ENTRY, own.ranks, NULL};
    caucus_intergroup_tell(builder, task, (struct caucus_told){in, ENTRY, ENTRY},
                           caucus_at(out, caucus_cut(&cuts, task->rank - own.first)), ENTRY);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_allgather_by_circulant(builder, 0, out, &cuts);
    caucus_enter_group(builder, before);
}

bool caucus_intergroup_counts_go_round(int32_t first_group, int32_t ranks) {
    int64_t second = ranks - first_group;
    int64_t larger = first_group > second ? first_group : second;
    return larger / (ranks - larger) * larger * ENTRY > MOST_TOLD;
}

int caucus_intergroup_counts_build(enum caucus_collective collective, int32_t first_group,
                                   int32_t ranks, int32_t rank, struct caucus_schedule *schedule) {
    struct caucus_task task = {
        .collective = collective, .ranks = ranks, .rank = rank, .first_group = first_group};
    int64_t own = ENTRY * (int64_t)caucus_own_side(&task).ranks;
    int64_t other = ENTRY * (int64_t)caucus_other_side(&task).ranks;
    bool gathers = collective == CAUCUS_ALLGATHERV;
    struct caucus_builder builder;
    if (!gathers && collective != CAUCUS_REDUCE_SCATTER)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "there are no lengths to exchange in %s",
                           caucus_collective_name(collective));
    caucus_builder_init(&builder, ranks, rank);
    if (gathers && caucus_intergroup_counts_go_round(first_group, ranks))
        tell_one_each(&builder, &task);
    else
        caucus_intergroup_tell(&builder, &task, (struct caucus_told){in, gathers ? other : own, 0},
                               out, gathers ? own : other);
    return caucus_builder_finish(&builder, schedule);
}
