/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter and allreduce between two groups by an even reduce-scatter within each.
 *
 *   1   a reduce-scatter in each group: an even share of its result for each rank, by recursive
 *       halving, or over the circulant graph if the operation is commutative
 *   2   these shares cross to whose blocks they are (reduce_scatter), or to even shares of the
 *       other group (allreduce)
 *   3   allreduce: an allgather in each group over the circulant graph
 *
 * Cost: ⌈log2 max(p, q)⌉ + 1 rounds and (1 - 1/p)n bytes, then a share or the longest block;
 * allreduce as much again. For data of some length; any p, q and lengths. */
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"

#include <math.h>
#include <stdlib.h>

/* Even shares of n bytes for both groups, and where the result is wanted. */
struct plan {
    struct caucus_group_blocks own, other;
    int64_t bytes;
    int64_t *own_share, *other_share, *own_block, *other_block;
};

static void free_plan(struct plan *plan) {
    free(plan->own_share);
    free(plan->other_share);
    free(plan->own_block);
    free(plan->other_block);
}

static bool make_plan(struct plan *plan, struct caucus_builder *builder,
                      const struct caucus_task *task) {
    bool all = task->collective == CAUCUS_ALLREDUCE;
    *plan = (struct plan){
        caucus_intergroup_own(task), caucus_intergroup_other(task), 0, NULL, NULL, NULL, NULL};
    if (!all) {
        plan->own_block = caucus_side_cuts(builder, &plan->own);
        plan->other_block = caucus_side_cuts(builder, &plan->other);
        if (!plan->own_block || !plan->other_block)
            return false;
    }
    plan->bytes = all ? task->bytes : plan->own_block[plan->own.ranks];
    plan->own_share = caucus_vector_cuts(builder, plan->bytes, task->element, plan->own.ranks);
    plan->other_share = caucus_vector_cuts(builder, plan->bytes, task->element, plan->other.ranks);
    return plan->own_share && plan->other_share;
}

/* Returns where byte 0 would be of what this rank has a share of. */
static struct caucus_place reduce_scatter(struct caucus_builder *builder,
                                          const struct caucus_task *task, const struct plan *plan) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    int32_t index = task->rank - plan->own.first;
    int64_t begin = plan->own_share[index], length = plan->own_share[index + 1] - begin;
    if (plan->own.ranks == 1)
        return in;
    struct caucus_place share = caucus_reserve_scratch(builder, length);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    if (task->commutative)
        caucus_reduce_scatter_by_circulant(builder, in, share, plan->own_share, task->element);
    else
        caucus_reduce_scatter_by_recursive_halving(builder, in, share, plan->own_share,
                                                   task->element);
    caucus_enter_group(builder, before);
    return caucus_at(share, -begin);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct plan plan;
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    if (make_plan(&plan, builder, task)) {
        int32_t index = task->rank - plan.own.first;
        bool all = task->collective == CAUCUS_ALLREDUCE;
        const int64_t *ours = all ? plan.own_share : plan.own_block;
        const int64_t *theirs = all ? plan.other_share : plan.other_block;
        struct caucus_crossing coming = {{plan.other.first, plan.other.ranks, plan.other_share},
                                         {plan.own.first, plan.own.ranks, ours}};
        struct caucus_crossing going = {{plan.own.first, plan.own.ranks, plan.own_share},
                                        {plan.other.first, plan.other.ranks, theirs}};
        struct caucus_place row = reduce_scatter(builder, task, &plan);
        caucus_crossing_receive(builder, &coming, all ? out : caucus_at(out, -ours[index]));
        caucus_crossing_send(builder, &going, row);
        caucus_end_step(builder);
        struct caucus_group before = caucus_intergroup_enter_own(builder, task);
        if (all)
            caucus_allgather_by_circulant(builder, out, ours);
        caucus_enter_group(builder, before);
    }
    free_plan(&plan);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double part_cost(const struct caucus_task *task, const struct caucus_model *model,
                        int32_t ranks, int64_t bytes, bool reduces) {
    struct caucus_task part = caucus_intergroup_part(task, ranks, bytes);
    if (ranks == 1)
        return 0;
    if (reduces && !task->commutative)
        return caucus_halving_cost(&part, model, true) + caucus_cost_copy(model, (double)bytes) +
               ranks * caucus_cost_copy(model, 0);
    return caucus_circulant_cost(&part, model, reduces);
}

static int64_t longest_block(const struct caucus_group_blocks *side, int64_t longest) {
    for (int32_t i = 0; i < side->ranks; i++)
        longest = caucus_group_block(side, i) > longest ? caucus_group_block(side, i) : longest;
    return longest;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    bool all = task->collective == CAUCUS_ALLREDUCE;
    int64_t bytes = all ? task->volume : caucus_group_total(&own);
    int32_t fewer = own.ranks < other.ranks ? own.ranks : other.ranks;
    if (bytes < 0)
        return INFINITY;
    int64_t longest = bytes / fewer;
    if (!all)
        longest = longest_block(&other, longest_block(&own, longest));
    double seconds = larger(part_cost(task, model, own.ranks, bytes, true),
                            part_cost(task, model, other.ranks, bytes, true)) +
                     caucus_crossing_cost(task, model, bytes, longest);
    if (all)
        seconds += larger(part_cost(task, model, own.ranks, bytes, false),
                          part_cost(task, model, other.ranks, bytes, false));
    return seconds;
}

static const char summary[] =
    "an even reduce-scatter in each group, whose shares cross to whose blocks they are";

const struct caucus_algorithm caucus_intergroup_reduce_scatter_crossing = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "crossing",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_reduce_scatter_block_crossing = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "crossing",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_allreduce_crossing = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "crossing",
    .summary = "a reduce-scatter in each group, whose shares cross, and an allgather in each",
    .emit = emit,
    .cost = cost,
};
