/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce of little data between two groups: an allreduce in each group by recursive doubling,
 * then rank i of the larger group swaps with rank i modulo the size of the smaller one, which sends
 * to several.
 *
 * Cost: ⌈log2 max(p, q)⌉ + 1 rounds of all data, and a message more for each time that one group is
 * larger. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include <math.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

void caucus_intergroup_allreduce_partners(struct caucus_builder *builder,
                                          const struct caucus_task *task) {
    struct caucus_place mine = in;
    if (caucus_own_side(task).ranks > 1) {
        mine = caucus_reserve_scratch(builder, task->bytes);
        struct caucus_group before = caucus_intergroup_enter_own(builder, task);
        caucus_allreduce_by_recursive_doubling(builder, in, mine, task->bytes);
        caucus_enter_group(builder, before);
    }
    caucus_intergroup_tell(builder, task, (struct caucus_told){mine, task->bytes, 0}, out,
                           task->bytes);
}

static double part_cost(const struct caucus_task *task, const struct caucus_model *model,
                        const struct caucus_group_side *side) {
    struct caucus_node_map nodes;
    struct caucus_task part = caucus_intergroup_side_part(task, side, task->volume, &nodes);
    return caucus_allreduce_recursive_doubling_cost(&part, model);
}

double caucus_intergroup_allreduce_partners_cost(const struct caucus_task *task,
                                                 const struct caucus_model *model) {
    int32_t larger = caucus_intergroup_larger(task), smaller = task->ranks - larger;
    int32_t told = larger / smaller + (larger % smaller != 0);
    double bytes = (double)task->volume;
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    return fmax(part_cost(task, model, &own), part_cost(task, model, &other)) +
           caucus_cost_message(task, model, bytes) +
           (told - 1) * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES] +
                         bytes * model->byte[CAUCUS_BETWEEN_NODES]);
}
