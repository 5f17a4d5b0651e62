/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations through node memory: reductions, reduce-scatters and scans inside a node.
 *
 *   round k    await everybody's reading of k - 2
 *              copy in piece k of what others want, signal k
 *              await k of all whose operands are wanted
 *              combine from the highest rank down, signal k as read
 *
 * Every rank has a slot in each of two buffers, which rounds take in turns. What fits in one round
 * takes one synchronization. A few bytes travel in the lines themselves, with the flag. Every
 * reader combines in the same order: a0 + (a1 + (a2 + …)). */
#include "plan/collective/node_parts.h"
#include "plan/collective/node_rounds.h"
#include "plan/collective/vector.h"

#include "base/status.h"

#include <stdlib.h>

enum { LEAST_PIECE = 32 }; /* one block at a time, one rank combines at a time */

struct plan {
    struct caucus_builder *builder;
    const struct caucus_node *node;
    const struct caucus_combine *combine;
    struct caucus_node_rounds rounds;
    bool in_lines;
    int32_t written, read; /* lines: the first of the ranks' */
    struct caucus_place memory;
    bool keeps; /* of its own operand what results are written over, in scratch */
    struct caucus_place kept;
    int64_t *wanted, wants; /* the blocks that this rank reads in a round */
};

static int64_t all_bytes(const struct caucus_combine *combine) {
    int64_t sum = 0;
    for (int64_t i = 0; i < combine->blocks; i++)
        sum += combine->block[i].bytes;
    return sum;
}

static void plan_rounds(struct plan *plan) {
    const struct caucus_node *node = plan->node;
    struct caucus_node_rounds *rounds = &plan->rounds;
    int64_t element = plan->combine->element, bytes = all_bytes(plan->combine);
    bool in_lines = bytes <= CAUCUS_LINE_PAYLOAD - caucus_line_lead(element);
    bool unlimited = node->size == 1 || in_lines;
    if (!caucus_node_can_combine(node->limit, node->largest, bytes, element)) {
        caucus_builder_fail(plan->builder, CAUCUS_NOT_APPLICABLE,
                            "%lld bytes of node memory are too few for %d ranks and elements of "
                            "%lld bytes",
                            (long long)node->limit, (int)node->largest, (long long)element);
        return;
    }
    plan->in_lines = in_lines;
    rounds->element = element;
    rounds->least = LEAST_PIECE;
    rounds->most = unlimited ? INT64_MAX / 2 : node->piece;
    rounds->room = unlimited ? INT64_MAX / 2 : node->limit / node->size;
    for (int64_t i = 0; i < rounds->blocks; i++) {
        rounds->block[i].bytes = plan->combine->block[i].bytes;
        rounds->block[i].unit = plan->combine->block[i].unit;
    }
    caucus_node_rounds_plan(rounds, plan->builder);
}

static void reserve(struct plan *plan) {
    const struct caucus_node_rounds *rounds = &plan->rounds;
    int32_t size = plan->node->size;
    int64_t slots = (rounds->rounds > 1 ? CAUCUS_NODE_BUFFERS : 1) * (int64_t)size;
    plan->written = caucus_reserve_lines(plan->builder, size);
    if (rounds->rounds > 1)
        plan->read = caucus_reserve_lines(plan->builder, size);
    if (!plan->in_lines)
        plan->memory = caucus_reserve_node(plan->builder, slots * rounds->buffer_bytes);
}

static struct caucus_place slot(const struct plan *plan, int32_t rank, int64_t block,
                                int64_t round) {
    int64_t at = plan->rounds.block[block].slot;
    if (plan->in_lines)
        return caucus_at(caucus_line_payload(plan->written + rank),
                         caucus_line_lead(plan->combine->element) + at);
    int64_t index = round % CAUCUS_NODE_BUFFERS * plan->node->size + rank;
    return caucus_at(plan->memory, index * plan->rounds.buffer_bytes + at);
}

/* This rank's own operand, in a round. */
static struct caucus_place own(const struct plan *plan, int64_t block, int64_t round) {
    return caucus_at(plan->combine->operand, plan->combine->block[block].offset +
                                                 caucus_round_begin(&plan->rounds, block, round));
}

static bool reads(const struct plan *plan, int64_t block) {
    int32_t reader = plan->combine->block[block].reader;
    return reader == CAUCUS_EVERYBODY || reader == plan->node->local;
}

static bool publishes(const struct plan *plan, int64_t block) {
    return plan->node->size > 1 && plan->combine->block[block].reader != plan->node->local;
}

static int64_t bytes_in(const struct plan *plan, int64_t block, int64_t round) {
    return caucus_round_bytes(&plan->rounds, block, round);
}

/* The result would be written over the operand before its turn. */
static bool must_keep(const struct plan *plan, int64_t block) {
    struct caucus_place target = plan->combine->block[block].target;
    struct caucus_place operand =
        caucus_at(plan->combine->operand, plan->combine->block[block].offset);
    return reads(plan, block) && !publishes(plan, block) && caucus_same_place(target, operand) &&
           plan->combine->upto > 0 && plan->combine->upto - 1 != plan->node->local;
}

static struct caucus_place kept(const struct plan *plan, int64_t block) {
    return caucus_at(plan->kept, plan->rounds.block[block].slot);
}

static void keep_own(struct plan *plan, int64_t round) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    for (int64_t i = blocks.first; i < blocks.end; i++) {
        if (!must_keep(plan, i) || !bytes_in(plan, i, round))
            continue;
        if (!plan->keeps)
            plan->kept = caucus_reserve_scratch(plan->builder, plan->rounds.buffer_bytes);
        plan->keeps = true;
        caucus_emit_copy(plan->builder, own(plan, i, round), kept(plan, i),
                         bytes_in(plan, i, round));
    }
}

/* Returns whether anything was published. The step of the signal stays open. */
static bool write_round(struct plan *plan, int64_t round) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    struct caucus_copying copying = {.builder = plan->builder};
    bool any = false;
    if (round >= CAUCUS_NODE_BUFFERS)
        caucus_emit_await(plan->builder, plan->read, plan->node->size,
                          round - CAUCUS_NODE_BUFFERS + 1);
    caucus_end_step(plan->builder);
    for (int64_t i = blocks.first; i < blocks.end; i++)
        if (publishes(plan, i)) {
            any = any || bytes_in(plan, i, round);
            caucus_copying_add(&copying, own(plan, i, round),
                               slot(plan, plan->node->local, i, round), bytes_in(plan, i, round));
        }
    caucus_copying_flush(&copying);
    keep_own(plan, round);
    caucus_end_step(plan->builder);
    if (any)
        caucus_emit_signal(plan->builder, plan->written + plan->node->local, round + 1);
    return any;
}

static void find_wanted(struct plan *plan, int64_t round) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    plan->wants = 0;
    for (int64_t i = blocks.first; i < blocks.end; i++)
        if (reads(plan, i) && bytes_in(plan, i, round))
            plan->wanted[plan->wants++] = i;
}

/* The operands of all ranks but this one, if it has published nothing. */
static void await_operands(struct plan *plan, int64_t round, bool published) {
    int32_t upto = plan->combine->upto, local = plan->node->local;
    if (plan->wants > 0 && (published || local >= upto)) {
        caucus_emit_await(plan->builder, plan->written, upto, round + 1);
    } else if (plan->wants > 0) {
        caucus_emit_await(plan->builder, plan->written, local, round + 1);
        caucus_emit_await(plan->builder, plan->written + local + 1, upto - local - 1, round + 1);
    }
    caucus_end_step(plan->builder);
}

/* Where this rank finds the operand of a rank of the node. */
static struct caucus_place operand(const struct plan *plan, int32_t rank, int64_t block,
                                   int64_t round) {
    if (rank != plan->node->local || publishes(plan, block))
        return slot(plan, rank, block, round);
    return must_keep(plan, block) ? kept(plan, block) : own(plan, block, round);
}

static void combine_round(struct plan *plan, int64_t round) {
    int32_t upto = plan->combine->upto;
    for (int32_t rank = upto; rank-- > 0 && plan->wants > 0;) {
        struct caucus_copying moving = {.builder = plan->builder, .combines = rank < upto - 1};
        for (int64_t k = 0; k < plan->wants; k++) {
            int64_t i = plan->wanted[k];
            struct caucus_place source = operand(plan, rank, i, round);
            struct caucus_place target = caucus_at(plan->combine->block[i].target,
                                                   caucus_round_begin(&plan->rounds, i, round));
            caucus_copying_add(&moving, source, target, bytes_in(plan, i, round));
        }
        caucus_copying_flush(&moving);
        caucus_end_step(plan->builder);
    }
    if (round + CAUCUS_NODE_BUFFERS < plan->rounds.rounds)
        caucus_emit_signal(plan->builder, plan->read + plan->node->local, round + 1);
}

void caucus_node_combine(struct caucus_builder *builder, const struct caucus_node *node,
                         const struct caucus_combine *combine) {
    struct plan plan = {.builder = builder, .node = node, .combine = combine};
    if (!combine->block)
        return;
    plan.wanted =
        caucus_builder_array(builder, combine->blocks, sizeof *plan.wanted, "blocks of a node");
    caucus_node_rounds_init(&plan.rounds, builder, combine->blocks);
    if (!builder->status)
        plan_rounds(&plan);
    if (plan.rounds.piece > 0 && node->size > 1)
        reserve(&plan);
    for (int64_t round = 0; round < plan.rounds.rounds; round++) {
        bool published = write_round(&plan, round);
        find_wanted(&plan, round);
        await_operands(&plan, round, published);
        combine_round(&plan, round);
    }
    caucus_end_step(builder);
    caucus_node_rounds_free(&plan.rounds);
    free(plan.wanted);
    free(combine->block);
}
