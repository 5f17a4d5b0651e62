/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce of little data between two groups: in each group, then to the other one.
 *
 *   partners   an allreduce in each group by recursive doubling, then rank i of the larger group
 *              swaps with rank i modulo the size of the smaller one, which sends to several
 *   leaders    a reduction in each group to its lowest rank along a postal tree, these two swap,
 *              and broadcast what they got along a postal tree
 *
 * Cost: partners ⌈log2 max(p, q)⌉ + 1 rounds and a message more for each time that one group is
 * larger; leaders about twice as many rounds, whatever the sizes. All data in every round. */
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"

#include <stddef.h>

extern const struct caucus_algorithm caucus_allreduce_recursive_doubling, caucus_reduce_postal,
    caucus_bcast_postal;

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

/* The lowest rank of this many is told by rank index of a smaller group. */
static void swap_with_partners(struct caucus_builder *builder,
                               const struct caucus_group_blocks *own,
                               const struct caucus_group_blocks *other, struct caucus_place mine,
                               int64_t bytes) {
    int32_t index = builder->group.rank - own->first;
    bool larger = own->ranks > other->ranks;
    caucus_emit_receive(builder, other->first + index % other->ranks, out, bytes);
    if (!larger) {
        for (int64_t peer = index; peer < other->ranks; peer += own->ranks)
            caucus_emit_send(builder, (int32_t)(other->first + peer), mine, bytes);
    } else if (index < other->ranks) {
        caucus_emit_send(builder, other->first + index, mine, bytes);
    }
    caucus_end_step(builder);
}

static void emit_partners(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    struct caucus_place mine = in;
    if (own.ranks > 1) {
        mine = caucus_reserve_scratch(builder, task->bytes);
        struct caucus_group before = caucus_intergroup_enter_own(builder, task);
        caucus_allreduce_by_recursive_doubling(builder, in, mine, task->bytes);
        caucus_enter_group(builder, before);
    }
    swap_with_partners(builder, &own, &other, mine, task->bytes);
}

static void emit_leaders(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    bool leads = task->rank == own.first;
    struct caucus_place mine = in;
    if (leads && own.ranks > 1)
        mine = caucus_reserve_scratch(builder, task->bytes);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    if (own.ranks > 1)
        caucus_reduce_by_postal(builder, 0, in, mine, task->bytes, task->commutative);
    caucus_enter_group(builder, before);
    if (leads) {
        caucus_emit_receive(builder, other.first, out, task->bytes);
        caucus_emit_send(builder, other.first, mine, task->bytes);
    }
    caucus_end_step(builder);
    caucus_intergroup_enter_own(builder, task);
    caucus_bcast_by_postal(builder, 0, out, task->bytes);
    caucus_enter_group(builder, before);
}

static int32_t larger_group(const struct caucus_task *task) {
    int32_t second = task->ranks - task->first_group;
    return task->first_group > second ? task->first_group : second;
}

static double cost_partners(const struct caucus_task *task, const struct caucus_model *model) {
    int32_t larger = larger_group(task), smaller = task->ranks - larger;
    int32_t told = larger / smaller + (larger % smaller != 0);
    double bytes = (double)task->volume;
    struct caucus_task part = caucus_intergroup_part(task, larger, task->volume);
    return caucus_allreduce_recursive_doubling.cost(&part, model) +
           caucus_cost_message(task, model, bytes) +
           (told - 1) * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES] +
                         bytes * model->byte[CAUCUS_BETWEEN_NODES]);
}

static double cost_leaders(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task part = caucus_intergroup_part(task, larger_group(task), task->volume);
    struct caucus_model few = caucus_cost_tree_part(task, model, 2 * (task->ranks - 1),
                                                    2 * caucus_cost_rounds(task->ranks) - 1);
    return caucus_reduce_postal.cost(&part, &few) + caucus_bcast_postal.cost(&part, &few) +
           caucus_cost_between(&few, (double)task->volume, 1);
}

const struct caucus_algorithm caucus_intergroup_allreduce_partners = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "partners",
    .summary = "recursive doubling in each group, then ranks swap with partners",
    .emit = emit_partners,
    .cost = cost_partners,
};

const struct caucus_algorithm caucus_intergroup_allreduce_leaders = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "leaders",
    .summary = "a reduction to the lowest rank of each group, which swap and broadcast",
    .emit = emit_leaders,
    .cost = cost_leaders,
};
