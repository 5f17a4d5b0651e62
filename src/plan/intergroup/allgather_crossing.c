/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather between two groups by an even crossing, then an allgather within each group (as Kang,
 * Träff, Al-Bahrani, Agrawal, Choudhary and Liao, "Scalable Algorithms for MPI Intergroup Allgather
 * and Allgatherv", Parallel Computing 2019, do for allgatherv, with another order of messages).
 *
 *   step 1   rank j of n gets bytes jM/n to (j + 1)M/n of the other group's data, from whom they
 *            are with: M / H messages at a time do not meet at any port, H being the longest block
 *            or such a share, so all send what is x bytes above a multiple of H at about the same
 *            time
 *   then     an allgather of these shares over the circulant graph
 *
 * Cost: 1 + ⌈log2 max(p, q)⌉ rounds and some messages more; every byte is received once, but what
 * a rank sends or gets is up to (1 - 1/q)M + H. For data of some length; any p, q and lengths. */
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"

#include <math.h>
#include <stdlib.h>

/* Blocks of one side, even shares of the other one. */
static struct caucus_crossing crossing_of(const struct caucus_group_blocks *from,
                                          const int64_t *blocks,
                                          const struct caucus_group_blocks *to,
                                          const int64_t *shares) {
    return (struct caucus_crossing){{from->first, from->ranks, blocks},
                                    {to->first, to->ranks, shares}};
}

static void emit_both(struct caucus_builder *builder, const struct caucus_task *task,
                      const int64_t *own_cut, const int64_t *other_cut) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    int64_t *theirs = caucus_vector_cuts(builder, own_cut[own.ranks], 1, other.ranks);
    int64_t *ours = caucus_vector_cuts(builder, other_cut[other.ranks], 1, own.ranks);
    if (theirs && ours) {
        struct caucus_crossing coming = crossing_of(&other, other_cut, &own, ours);
        struct caucus_crossing going = crossing_of(&own, own_cut, &other, theirs);
        caucus_crossing_receive(builder, &coming, out);
        caucus_crossing_send(builder, &going, caucus_at(in, -own_cut[task->rank - own.first]));
        caucus_end_step(builder);
        struct caucus_cuts cuts = {.parts = own.ranks, .at = ours};
        struct caucus_group before = caucus_intergroup_enter_own(builder, task);
        caucus_circulant_allgather(builder, 0, out, &cuts);
        caucus_enter_group(builder, before);
    }
    free(theirs);
    free(ours);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    int64_t *own_cut = caucus_side_cuts(builder, &own);
    int64_t *other_cut = caucus_side_cuts(builder, &other);
    if (own_cut && other_cut)
        emit_both(builder, task, own_cut, other_cut);
    free(own_cut);
    free(other_cut);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The longest block, or a share where that is longer. */
static int64_t longest_of(const struct caucus_group_blocks *from, int64_t bytes,
                          int32_t receivers) {
    int64_t longest = bytes / receivers + (bytes % receivers != 0);
    for (int32_t i = 0; i < from->ranks; i++) {
        int64_t block = caucus_group_block(from, i);
        longest = block > longest ? block : longest;
    }
    return longest;
}

static bool on_one_node(const struct caucus_task *task, const struct caucus_group_blocks *side) {
    const int32_t *node = task->nodes ? task->nodes->node_of_rank + side->first : NULL;
    for (int32_t i = 1; node && i < side->ranks; i++)
        if (node[i] != node[0])
            return false;
    return node;
}

/* As allgather_circulant.c: from its second round on, some have a message more. */
static double gather_cost(const struct caucus_task *task, const struct caucus_model *model,
                          const struct caucus_group_blocks *side, int64_t bytes) {
    struct caucus_task part = caucus_intergroup_part(task, side->ranks, bytes);
    int rounds = caucus_cost_rounds(side->ranks);
    double more = rounds > 1 ? rounds - 1 : 0;
    if (bytes == 0)
        return 0;
    if (on_one_node(task, side))
        return rounds * caucus_cost_within(model, 0) +
               (double)bytes * model->byte[CAUCUS_WITHIN_NODE];
    return caucus_circulant_cost(&part, model, false) +
           more * 2 * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]);
}

/* Where one rank or a few have most of the data, shares come one after the other, and long messages
 * of late rounds before the short ones for which others wait: half as long again, unless they
 * wait for their receives. */
static double gather_late_cost(const struct caucus_task *task, const struct caucus_model *model,
                               const struct caucus_group_blocks *side, int64_t bytes,
                               int64_t longest) {
    double seconds = gather_cost(task, model, side, bytes);
    return model->eager <= 0 && longest > bytes / 4 && longest > bytes / side->ranks + 1
               ? 1.5 * seconds
               : seconds;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    int64_t out = caucus_group_total(&own), in = caucus_group_total(&other);
    if (out < 0 || in < 0)
        return INFINITY;
    int64_t ours = longest_of(&own, out, other.ranks), theirs = longest_of(&other, in, own.ranks);
    double crossing = larger(caucus_crossing_cost(task, model, out, ours),
                             caucus_crossing_cost(task, model, in, theirs));
    return crossing + larger(gather_late_cost(task, model, &own, in, theirs),
                             gather_late_cost(task, model, &other, out, ours));
}

static const char summary[] =
    "an even share for each rank crosses, then an allgather in each group (Kang et al. 2019)";

const struct caucus_algorithm caucus_intergroup_allgather_crossing = {
    .collective = CAUCUS_ALLGATHER,
    .name = "crossing",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_crossing = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "crossing",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};
