/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions between two groups where whoever wants a result gets the operands of all ranks of the
 * other group and combines them itself, along a balanced tree in the order of ranks.
 *
 *   piece k = 0, 1, …   a rank gets this piece of all q operands, then ⌈log2 q⌉ steps combine them
 *
 * Operands are in scratch for one piece at a time: 1 MiB for all of them, or 4 KiB for each if that
 * is more. For reduce_scatter without the other group's counts nobody knows who wants what: all
 * operands go to all ranks then.
 * Cost: q operands, or blocks of them, through each port that wants a result. Any p, q, lengths. */
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include <math.h>
#include <stdlib.h>

enum { SCRATCH = 1 << 20, LEAST_PIECE = 4 << 10 };

/* A range of the other group's operands comes to this rank, which wants a part of it. */
struct coming {
    struct caucus_range all, wanted;
};

struct plan {
    struct caucus_group_side own, other;
    int64_t *own_block, *other_block; /* of reduce_scatter(_block), where they are known */
    bool sends, receives;
    int64_t bytes; /* of an operand */
    int64_t piece;
    struct caucus_place operands; /* a piece of each, in scratch */
};

static bool knows_other(const struct caucus_task *task) {
    return task->collective == CAUCUS_REDUCE_SCATTER_BLOCK || task->send_bytes;
}

/* The same on all ranks. */
static int64_t piece_of(const struct caucus_task *task) {
    int64_t most = caucus_intergroup_larger(task);
    int64_t piece = SCRATCH / most > LEAST_PIECE ? SCRATCH / most : LEAST_PIECE;
    if (task->segment > 0)
        piece = task->segment;
    return piece > task->element ? piece / task->element * task->element : task->element;
}

static bool make_plan(struct plan *plan, struct caucus_builder *builder,
                      const struct caucus_task *task) {
    bool root = task->rank == task->root, rooted = task->collective == CAUCUS_REDUCE;
    *plan = (struct plan){.own = caucus_own_side(task),
                          .other = caucus_other_side(task),
                          .sends = !rooted || !root,
                          .receives = !rooted || root,
                          .bytes = task->bytes,
                          .piece = piece_of(task)};
    if (!caucus_intergroup_scatters(task))
        return true;
    plan->own_block = caucus_side_cuts(builder, &plan->own);
    if (plan->own_block)
        plan->bytes = plan->own_block[plan->own.ranks];
    if (plan->own_block && knows_other(task))
        plan->other_block = caucus_side_cuts(builder, &plan->other);
    return plan->own_block && (plan->other_block || !knows_other(task));
}

static void free_plan(struct plan *plan) {
    free(plan->own_block);
    free(plan->other_block);
}

static struct coming coming_to(const struct plan *plan, int32_t index) {
    struct coming coming = {{0, plan->bytes}, {0, plan->bytes}};
    if (plan->own_block)
        coming.wanted = (struct caucus_range){plan->own_block[index], plan->own_block[index + 1]};
    if (plan->other_block)
        coming.all = coming.wanted;
    return coming;
}

static struct caucus_range common(struct caucus_range a, struct caucus_range b) {
    struct caucus_range both = {a.begin > b.begin ? a.begin : b.begin,
                                a.end < b.end ? a.end : b.end};
    if (both.end < both.begin)
        both.end = both.begin;
    return both;
}

static struct caucus_range piece_at(struct caucus_range all, int64_t piece, int64_t k) {
    struct caucus_range part = {all.begin + k * piece, all.begin + (k + 1) * piece};
    return common(all, part);
}

/* To each rank of the other group what comes to it, in the order in which all receive. */
static void send_piece(struct caucus_builder *builder, const struct caucus_task *task,
                       const struct plan *plan, int64_t k) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    int32_t index = task->rank - plan->own.first;
    for (int32_t i = 0; i < plan->other.ranks; i++) {
        int32_t peer = (int32_t)(((int64_t)index + i) % plan->other.ranks);
        struct caucus_range all = {0, plan->bytes};
        if (task->collective == CAUCUS_REDUCE && plan->other.first + peer != task->root)
            continue;
        if (plan->other_block)
            all = (struct caucus_range){plan->other_block[peer], plan->other_block[peer + 1]};
        struct caucus_range part = piece_at(all, plan->piece, k);
        caucus_emit_send(builder, plan->other.first + peer, caucus_at(in, part.begin),
                         part.end - part.begin);
    }
}

static struct caucus_place operand(const struct plan *plan, int32_t peer) {
    return caucus_at(plan->operands, peer * plan->piece);
}

static void receive_piece(struct caucus_builder *builder, const struct plan *plan, int32_t index,
                          struct caucus_range part) {
    for (int32_t i = 0; i < plan->other.ranks; i++) {
        int32_t peer = (int32_t)(((int64_t)index + i) % plan->other.ranks);
        caucus_emit_receive(builder, plan->other.first + peer, operand(plan, peer),
                            part.end - part.begin);
    }
}

/* The result is where the last operand was. */
static void combine_piece(struct caucus_builder *builder, const struct plan *plan, int64_t begin,
                          int64_t length) {
    int32_t last = plan->other.ranks - 1;
    for (int64_t distance = 1; distance <= last; distance *= 2) {
        for (int64_t i = last; i >= distance; i -= 2 * distance)
            caucus_emit_reduce(builder, caucus_at(operand(plan, (int32_t)(i - distance)), begin),
                               caucus_at(operand(plan, (int32_t)i), begin), length);
        caucus_end_step(builder);
    }
}

static void take_piece(struct caucus_builder *builder, const struct plan *plan,
                       const struct coming *coming, int64_t k) {
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_range part = piece_at(coming->all, plan->piece, k);
    struct caucus_range wanted = common(part, coming->wanted);
    int64_t begin = wanted.begin - part.begin, length = wanted.end - wanted.begin;
    combine_piece(builder, plan, begin, length);
    caucus_emit_copy(builder, caucus_at(operand(plan, plan->other.ranks - 1), begin),
                     caucus_at(out, wanted.begin - coming->wanted.begin), length);
    caucus_end_step(builder);
}

static int64_t most_pieces(const struct plan *plan, const struct coming *coming) {
    int64_t longest = coming->all.end - coming->all.begin;
    for (int32_t i = 0; plan->other_block && i < plan->other.ranks; i++) {
        int64_t block = plan->other_block[i + 1] - plan->other_block[i];
        longest = block > longest ? block : longest;
    }
    return longest / plan->piece + (longest % plan->piece != 0);
}

void caucus_intergroup_reduce_direct(struct caucus_builder *builder,
                                     const struct caucus_task *task) {
    struct plan plan;
    if (task->collective == CAUCUS_REDUCE && task->root == CAUCUS_ROOT_ELSEWHERE)
        return;
    if (make_plan(&plan, builder, task)) {
        int32_t index = task->rank - plan.own.first;
        struct coming coming = coming_to(&plan, index);
        int64_t pieces = most_pieces(&plan, &coming);
        if (plan.receives && pieces > 0)
            plan.operands = caucus_reserve_scratch(builder, plan.other.ranks * plan.piece);
        for (int64_t k = 0; k < pieces; k++) {
            if (plan.sends)
                send_piece(builder, task, &plan, k);
            if (plan.receives)
                receive_piece(builder, &plan, index, piece_at(coming.all, plan.piece, k));
            caucus_end_step(builder);
            if (plan.receives)
                take_piece(builder, &plan, &coming, k);
        }
    }
    free_plan(&plan);
}

/* Of a message: the longest block where blocks go, else the whole operand. */
static double message_of(const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    if (!caucus_intergroup_scatters(task) || !knows_other(task))
        return (double)task->volume;
    return fmax((double)caucus_group_longest(&own), (double)caucus_group_longest(&other));
}

double caucus_intergroup_reduce_direct_cost(const struct caucus_task *task,
                                            const struct caucus_model *model) {
    bool rooted = task->collective == CAUCUS_REDUCE;
    double messages = rooted ? caucus_own_side(task).ranks : caucus_intergroup_larger(task);
    struct caucus_task alone = *task;
    if (rooted) /* the root has its card for itself */
        alone.nodes = NULL;
    double bytes = message_of(task), piece = (double)piece_of(task);
    double pieces = fmax(1, bytes / piece), length = bytes / pieces;
    double steps = caucus_cost_rounds((int32_t)messages);
    return pieces * (caucus_cost_burst(&alone, model, messages, messages, length) +
                     caucus_cost_copy(model, length) + steps * model->operation +
                     (messages - 1) * caucus_cost_reduce(model, length));
}
