/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives between two groups by an even crossing: rank j of n gets or has bytes jM/n to
 * (j + 1)M/n of the data that cross (for allgather as Kang, Träff, Al-Bahrani, Agrawal, Choudhary
 * and Liao, "Scalable Algorithms for MPI Intergroup Allgather and Allgatherv", Parallel Computing
 * 2019, do for allgatherv, with another order of messages).
 *
 *   1   reduce_scatter, allreduce: a reduce-scatter in each group: an even share of its result for
 *       each rank, by recursive halving, or over the circulant graph if the operation commutes
 *   2   blocks (allgather) or these shares cross to whose blocks they are (reduce_scatter), or to
 *       even shares of the other group: M / H messages at a time do not meet at any port, H being
 *       the longest block or such a share, so all send what is x bytes above a multiple of H at
 *       about the same time
 *   3   allgather, allreduce: an allgather of the shares in each group over the circulant graph
 *
 * Cost: 1 + ⌈log2 max(p, q)⌉ rounds and some messages more. In an allgather every byte is received
 * once, but what a rank sends or gets is up to (1 - 1/q)M + H; a reduce_scatter takes (1 - 1/p)n
 * bytes, then a share or the longest block; an allreduce as much again. For data of some length;
 * any p, q and lengths. */
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include <math.h>
#include <stdlib.h>

/* Bytes that are shared out among the ranks of one group cross to the other one, where they are
 * shared out otherwise: the messages between all pairs of shares that have bytes in common, at most
 * as many as there are ranks in both groups, and some more where long shares are cut. */
struct shares {
    int32_t first, ranks; /* in the union */
    const int64_t *cut;   /* ranks + 1, from 0 on: where shares begin */
};

/* Both end at the same byte. */
struct crossing {
    struct shares from, to;
};

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t longest(const struct crossing *crossing) {
    const struct shares *sides[] = {&crossing->from, &crossing->to};
    int64_t most = 1;
    for (int side = 0; side < 2; side++)
        for (int32_t i = 0; i < sides[side]->ranks; i++) {
            int64_t length = sides[side]->cut[i + 1] - sides[side]->cut[i];
            most = larger(most, length);
        }
    return most;
}

/* Messages with bytes begin to end, exclusive. */
static void cross_range(struct caucus_builder *builder, const struct shares *peers, int64_t begin,
                        int64_t end, struct caucus_place row, bool sends) {
    for (int32_t i = 0; i < peers->ranks; i++) {
        int64_t low = larger(peers->cut[i], begin);
        int64_t high = peers->cut[i + 1] < end ? peers->cut[i + 1] : end;
        if (low < high)
            (sends ? caucus_emit_send : caucus_emit_receive)(builder, peers->first + i,
                                                             caucus_at(row, low), high - low);
    }
}

/* What this rank sends or receives, in the open step: what its share has in common with those of
 * the peers; byte 0 of all would be at row. Ports of both groups are busy with what is at the same
 * distance above a multiple of the longest share, so that they need not wait for each other: no
 * share has more than one such multiple within, and what is behind it comes first. */
static void cross(struct caucus_builder *builder, const struct crossing *crossing,
                  struct caucus_place row, bool sends) {
    const struct shares *own = sends ? &crossing->from : &crossing->to;
    const struct shares *peers = sends ? &crossing->to : &crossing->from;
    int32_t index = builder->group.rank - own->first;
    int64_t begin = own->cut[index], end = own->cut[index + 1], height = longest(crossing);
    int64_t above = begin % height, turn = above ? begin - above + height : begin;
    cross_range(builder, peers, turn, end, row, sends);
    cross_range(builder, peers, begin, turn < end ? turn : end, row, sends);
}

/* Seconds: ports are busy as long as the longest share is, and for some messages more. No more
 * ranks share a card than there are such shares. */
static double crossing_cost(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t bytes, int64_t longest_share) {
    if (bytes == 0 || longest_share == 0)
        return 0;
    double at_a_time = ceil((double)bytes / (double)longest_share);
    double more = ceil(task->ranks / at_a_time) - 1;
    double share = (double)longest_share, on_node = task->nodes ? task->nodes->largest : 1;
    bool one_node = task->nodes && task->nodes->nodes == 1;
    return (one_node ? caucus_cost_within(model, share)
                     : caucus_cost_between(model, share, fmin(on_node, at_a_time))) +
           more * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]);
}

/* What this rank's group sends, and what it gets. */
struct plan {
    struct crossing going, coming;
    int64_t *cut[4];
};

static void free_plan(struct plan *plan) {
    for (int i = 0; i < 4; i++)
        free(plan->cut[i]);
}

/* Blocks of a side, or even shares of bytes. */
static int64_t *cuts_of(struct caucus_builder *builder, const struct caucus_group_side *side,
                        bool blocks, int64_t bytes, int64_t element) {
    return blocks ? caucus_side_cuts(builder, side)
                  : caucus_vector_cuts(builder, bytes, element, side->ranks);
}

static bool make_plan(struct plan *plan, struct caucus_builder *builder,
                      const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    bool reduces = caucus_task_reduces(task->collective);
    bool all = task->collective == CAUCUS_ALLREDUCE, to_blocks = reduces && !all;
    int64_t element = reduces ? task->element : 1;
    int64_t ours = all ? task->bytes : caucus_group_total(&own);
    int64_t theirs = reduces ? ours : caucus_group_total(&other);
    *plan = (struct plan){.cut = {cuts_of(builder, &own, !reduces, ours, element),
                                  cuts_of(builder, &other, to_blocks, ours, element),
                                  cuts_of(builder, &other, !reduces, theirs, element),
                                  cuts_of(builder, &own, to_blocks, theirs, element)}};
    plan->going = (struct crossing){{own.first, own.ranks, plan->cut[0]},
                                    {other.first, other.ranks, plan->cut[1]}};
    plan->coming = (struct crossing){{other.first, other.ranks, plan->cut[2]},
                                     {own.first, own.ranks, plan->cut[3]}};
    return plan->cut[0] && plan->cut[1] && plan->cut[2] && plan->cut[3];
}

/* Returns where byte 0 would be of what this rank has a share of. */
static struct caucus_place reduce_scatter(struct caucus_builder *builder,
                                          const struct caucus_task *task,
                                          const struct shares *shares) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    int32_t index = task->rank - shares->first;
    int64_t begin = shares->cut[index], length = shares->cut[index + 1] - begin;
    if (shares->ranks == 1)
        return in;
    struct caucus_place share = caucus_reserve_scratch(builder, length);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    struct caucus_cuts cuts = {0, task->element, builder->group.size, shares->cut};
    if (task->commutative)
        caucus_reduce_scatter_by_circulant(builder, in, share, &cuts);
    else
        caucus_reduce_scatter_by_recursive_halving(builder, in, share, &cuts);
    caucus_enter_group(builder, before);
    return caucus_at(share, -begin);
}

void caucus_intergroup_crossing(struct caucus_builder *builder, const struct caucus_task *task) {
    struct plan plan;
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    if (make_plan(&plan, builder, task)) {
        const struct shares *from = &plan.going.from, *to = &plan.coming.to;
        int32_t index = task->rank - from->first;
        bool reduces = caucus_task_reduces(task->collective);
        bool gathers = !reduces || task->collective == CAUCUS_ALLREDUCE;
        struct caucus_place row =
            reduces ? reduce_scatter(builder, task, from) : caucus_at(in, -from->cut[index]);
        cross(builder, &plan.coming, gathers ? out : caucus_at(out, -to->cut[index]), false);
        cross(builder, &plan.going, row, true);
        caucus_end_step(builder);
        struct caucus_group before = caucus_intergroup_enter_own(builder, task);
        struct caucus_cuts cuts = {0, task->element, builder->group.size, to->cut};
        if (gathers)
            caucus_allgather_by_circulant(builder, 0, out, &cuts);
        caucus_enter_group(builder, before);
    }
    free_plan(&plan);
}

/* The longest block, or a share where that is longer. */
static int64_t longest_of(const struct caucus_group_side *from, int64_t bytes, int32_t receivers) {
    int64_t share = bytes / receivers + (bytes % receivers != 0);
    return larger(caucus_group_longest(from), share);
}

/* As allgather_circulant.c: from its second round on, some have a message more. */
static double circulant_cost(const struct caucus_task *task, const struct caucus_model *model,
                             const struct caucus_group_side *side, int64_t bytes) {
    struct caucus_node_map nodes;
    struct caucus_task part = caucus_intergroup_side_part(task, side, bytes, &nodes);
    int rounds = caucus_cost_rounds(side->ranks);
    double more = rounds > 1 && !(part.nodes && nodes.nodes == 1) ? rounds - 1 : 0;
    if (bytes == 0)
        return 0;
    return caucus_circulant_cost(&part, model, false) +
           more * 2 * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]);
}

/* Where one rank or a few have most of the data, shares come one after the other, and long messages
 * of late rounds before the short ones for which others wait: half as long again, unless they
 * wait for their receives. */
static double gather_cost(const struct caucus_task *task, const struct caucus_model *model,
                          const struct caucus_group_side *side, int64_t bytes, int64_t longest) {
    double seconds = circulant_cost(task, model, side, bytes);
    return model->eager <= 0 && longest > bytes / 4 && longest > bytes / side->ranks + 1
               ? 1.5 * seconds
               : seconds;
}

static double allgather_cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    int64_t out = caucus_group_total(&own), in = caucus_group_total(&other);
    if (out < 0 || in < 0)
        return INFINITY;
    int64_t ours = longest_of(&own, out, other.ranks), theirs = longest_of(&other, in, own.ranks);
    double crossing =
        fmax(crossing_cost(task, model, out, ours), crossing_cost(task, model, in, theirs));
    return crossing + fmax(gather_cost(task, model, &own, in, theirs),
                           gather_cost(task, model, &other, out, ours));
}

static double part_cost(const struct caucus_task *task, const struct caucus_model *model,
                        const struct caucus_group_side *side, int64_t bytes, bool reduces) {
    struct caucus_node_map nodes;
    struct caucus_task part = caucus_intergroup_side_part(task, side, bytes, &nodes);
    if (side->ranks == 1)
        return 0;
    if (reduces && !task->commutative)
        return caucus_halving_cost(&part, model, true) + caucus_cost_copy(model, (double)bytes) +
               side->ranks * caucus_cost_copy(model, 0);
    return caucus_circulant_cost(&part, model, reduces);
}

static double reduce_cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    bool all = task->collective == CAUCUS_ALLREDUCE;
    int64_t bytes = all ? task->volume : caucus_group_total(&own);
    int32_t fewer = own.ranks < other.ranks ? own.ranks : other.ranks;
    if (bytes < 0)
        return INFINITY;
    int64_t ours = all ? 0 : caucus_group_longest(&own);
    int64_t theirs = all ? 0 : caucus_group_longest(&other);
    int64_t longest = larger(bytes / fewer, larger(ours, theirs));
    double seconds = fmax(part_cost(task, model, &own, bytes, true),
                          part_cost(task, model, &other, bytes, true)) +
                     crossing_cost(task, model, bytes, longest);
    if (all)
        seconds += fmax(part_cost(task, model, &own, bytes, false),
                        part_cost(task, model, &other, bytes, false));
    return seconds;
}

double caucus_intergroup_crossing_cost(const struct caucus_task *task,
                                       const struct caucus_model *model) {
    return (caucus_task_reduces(task->collective) ? reduce_cost : allgather_cost)(task, model);
}
