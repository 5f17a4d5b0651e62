/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks through node memory: broadcasts, gathers, scatters and allgathers inside a node.
 *
 *   round k    writers              readers
 *              await readers: k-2
 *              copy piece k in
 *              signal k             await writers: k
 *                                   copy piece k out
 *                                   signal k
 *
 * A block has a slot of a piece in each of two buffers, which rounds take in turns. What fits in
 * one round takes one synchronization, and has no need of the readers' signal. A few blocks that
 * fit in the lines of their writers travel there: one cache line then carries flag and data. */
#include "plan/collective/node_parts.h"
#include "plan/collective/node_rounds.h"

#include "base/status.h"

#include <stdlib.h>

enum { PRIVATE_PIECE = 8192, PRIVATE_ROUNDS = 1 << 16, INLINE_BLOCKS = 8 };
_Static_assert((int)PRIVATE_ROUNDS < (int)CAUCUS_FLAG_LIMIT - 1, "a flag counts rounds");

struct plan {
    struct caucus_builder *builder;
    const struct caucus_node *node;
    int64_t blocks;
    const struct caucus_spread_block *block;
    struct caucus_node_rounds rounds;
    bool private_bytes, in_lines;
    int32_t written, read; /* lines: the first of the ranks' */
    struct caucus_place memory;
    uint8_t *marked; /* ranks of the node */
};

static int64_t private_piece(const struct caucus_node *node, int64_t blocks) {
    int64_t most = node->piece > 0 && node->piece < PRIVATE_PIECE ? node->piece : PRIVATE_PIECE;
    int64_t fits = node->limit / CAUCUS_NODE_BUFFERS / blocks;
    return fits < most ? fits : most;
}

int64_t caucus_node_private_most(const struct caucus_node *node, int64_t blocks) {
    return PRIVATE_ROUNDS * private_piece(node, blocks);
}

/* Slots are of one size where this rank does not know what others need. */
static void plan_private(struct plan *plan) {
    struct caucus_node_rounds *rounds = &plan->rounds;
    int64_t blocks = rounds->blocks, longest = 0;
    rounds->piece = private_piece(plan->node, blocks);
    if (rounds->piece == 0) {
        caucus_builder_fail(plan->builder, CAUCUS_NOT_APPLICABLE,
                            "%lld bytes of node memory are too few for %lld blocks",
                            (long long)rounds->room, (long long)blocks);
        return;
    }
    for (int64_t i = 0; i < blocks; i++) {
        rounds->block[i].slot = i * rounds->piece;
        longest = rounds->block[i].bytes > longest ? rounds->block[i].bytes : longest;
    }
    rounds->rounds = (longest + rounds->piece - 1) / rounds->piece;
    rounds->buffer_bytes = blocks * rounds->piece;
}

static void plan_rounds(struct plan *plan) {
    struct caucus_node_rounds *rounds = &plan->rounds;
    rounds->room = plan->node->limit;
    rounds->most = plan->node->piece;
    for (int64_t i = 0; i < rounds->blocks; i++) {
        const struct caucus_spread_block *block = &plan->block[i];
        rounds->block[i].bytes = block->reader == block->writer ? 0 : block->bytes;
        rounds->block[i].unit = block->unit;
    }
    if (plan->private_bytes)
        plan_private(plan);
    else
        caucus_node_rounds_plan(rounds, plan->builder);
}

static void clear(struct plan *plan) {
    for (int32_t i = 0; i < plan->node->size; i++)
        plan->marked[i] = 0;
}

/* A line for each block. */
static bool fits_lines(struct plan *plan) {
    clear(plan);
    for (int64_t i = 0; i < plan->blocks; i++) {
        int32_t writer = plan->block[i].writer;
        if (plan->marked[writer])
            return false;
        plan->marked[writer] = 1;
    }
    return true;
}

static void reserve(struct plan *plan) {
    bool once = !plan->private_bytes && plan->rounds.rounds == 1;
    plan->in_lines = once && plan->rounds.piece <= CAUCUS_LINE_PAYLOAD &&
                     plan->blocks <= INLINE_BLOCKS && fits_lines(plan);
    plan->written = caucus_reserve_lines(plan->builder, plan->node->size);
    if (!once)
        plan->read = caucus_reserve_lines(plan->builder, plan->node->size);
    if (!plan->in_lines)
        plan->memory = caucus_reserve_node(plan->builder, plan->rounds.buffer_bytes *
                                                              (once ? 1 : CAUCUS_NODE_BUFFERS));
}

static struct caucus_place slot(const struct plan *plan, int64_t block, int64_t round) {
    if (plan->in_lines)
        return caucus_line_payload(plan->written + plan->block[block].writer);
    return caucus_at(plan->memory, round % CAUCUS_NODE_BUFFERS * plan->rounds.buffer_bytes +
                                       plan->rounds.block[block].slot);
}

static bool writes(const struct plan *plan, int64_t block) {
    const struct caucus_spread_block *b = &plan->block[block];
    return b->writer == plan->node->local && b->reader != b->writer;
}

static bool reads(const struct plan *plan, int64_t block) {
    const struct caucus_spread_block *b = &plan->block[block];
    return b->writer != plan->node->local &&
           (b->reader == CAUCUS_EVERYBODY || b->reader == plan->node->local);
}

static int64_t bytes_in(const struct plan *plan, int64_t block, int64_t round) {
    return caucus_round_bytes(&plan->rounds, block, round);
}

/* What is for the rank itself. */
static void copy_own(struct plan *plan) {
    struct caucus_copying copying = {.builder = plan->builder};
    for (int64_t i = 0; i < plan->blocks; i++) {
        const struct caucus_spread_block *block = &plan->block[i];
        if (block->writer == plan->node->local &&
            (block->reader == CAUCUS_EVERYBODY || block->reader == block->writer))
            caucus_copying_add(&copying, block->source, block->target, block->bytes);
    }
    caucus_copying_flush(&copying);
}

/* Awaits the lines first + i of the ranks i that are marked. */
static void await_marked(struct plan *plan, int32_t first, int64_t value) {
    int32_t size = plan->node->size;
    for (int32_t end, begin = 0; begin < size; begin = end + 1) {
        for (end = begin; end < size && plan->marked[end]; end++)
            ;
        caucus_emit_await(plan->builder, first + begin, end - begin, value);
    }
    caucus_end_step(plan->builder);
}

/* Those who read what was in this buffer before. Of slots that others use nothing is known where
 * bytes are private; they keep to their blocks then. */
static void await_readers(struct plan *plan, int64_t round) {
    int64_t before = round - CAUCUS_NODE_BUFFERS;
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, before);
    clear(plan);
    for (int64_t i = blocks.first; i < blocks.end; i++) {
        const struct caucus_spread_block *block = &plan->block[i];
        bool mine = writes(plan, i) && bytes_in(plan, i, round);
        if (!(plan->private_bytes ? mine : bytes_in(plan, i, before) > 0))
            continue;
        for (int32_t rank = 0; rank < plan->node->size; rank++)
            if (rank != block->writer && rank != plan->node->local &&
                (block->reader == CAUCUS_EVERYBODY || block->reader == rank))
                plan->marked[rank] = 1;
    }
    await_marked(plan, plan->read, before + 1);
}

/* Returns whether there was anything to write. The step of the signal stays open. */
static bool write_round(struct plan *plan, int64_t round) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    struct caucus_copying copying = {.builder = plan->builder};
    bool any = false;
    for (int64_t i = blocks.first; i < blocks.end; i++)
        any = any || (writes(plan, i) && bytes_in(plan, i, round));
    if (!any)
        return false;
    if (round >= CAUCUS_NODE_BUFFERS)
        await_readers(plan, round);
    for (int64_t i = blocks.first; i < blocks.end; i++)
        if (writes(plan, i))
            caucus_copying_add(
                &copying,
                caucus_at(plan->block[i].source, caucus_round_begin(&plan->rounds, i, round)),
                slot(plan, i, round), bytes_in(plan, i, round));
    caucus_copying_flush(&copying);
    caucus_end_step(plan->builder);
    caucus_emit_signal(plan->builder, plan->written + plan->node->local, round + 1);
    return true;
}

static void await_writers(struct plan *plan, int64_t round, bool wrote) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    bool any = false;
    clear(plan);
    for (int64_t i = blocks.first; i < blocks.end; i++)
        if (reads(plan, i) && bytes_in(plan, i, round)) {
            plan->marked[plan->block[i].writer] = 1;
            any = true;
        }
    if (wrote && any) /* is there already: joins those around it */
        plan->marked[plan->node->local] = 1;
    await_marked(plan, plan->written, round + 1);
}

/* Whether somebody waits for this rank to have read in this round. */
static bool is_awaited(const struct plan *plan, int64_t round) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    int64_t later = round + CAUCUS_NODE_BUFFERS;
    for (int64_t i = blocks.first; i < blocks.end; i++)
        if (reads(plan, i) && bytes_in(plan, i, round) &&
            (plan->private_bytes ? bytes_in(plan, i, later) > 0 : later < plan->rounds.rounds))
            return true;
    return false;
}

static void read_round(struct plan *plan, int64_t round) {
    struct caucus_round_blocks blocks = caucus_round_blocks(&plan->rounds, round);
    struct caucus_copying copying = {.builder = plan->builder};
    for (int64_t i = blocks.first; i < blocks.end; i++)
        if (reads(plan, i))
            caucus_copying_add(
                &copying, slot(plan, i, round),
                caucus_at(plan->block[i].target, caucus_round_begin(&plan->rounds, i, round)),
                bytes_in(plan, i, round));
    caucus_copying_flush(&copying);
    caucus_end_step(plan->builder);
    if (is_awaited(plan, round))
        caucus_emit_signal(plan->builder, plan->read + plan->node->local, round + 1);
}

static void spread(struct plan *plan) {
    struct caucus_builder *builder = plan->builder;
    const struct caucus_node *node = plan->node;
    if (!caucus_node_can_spread(node->limit))
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "%lld bytes of node memory are too few",
                            (long long)node->limit);
    copy_own(plan);
    caucus_node_rounds_init(&plan->rounds, builder, node->size > 1 ? plan->blocks : 0);
    plan->marked = caucus_builder_array(builder, node->size, sizeof *plan->marked, "ranks");
    if (!builder->status && plan->rounds.blocks > 0)
        plan_rounds(plan);
    if (plan->rounds.piece > 0)
        reserve(plan);
    for (int64_t round = 0; round < plan->rounds.rounds; round++) {
        await_writers(plan, round, write_round(plan, round));
        read_round(plan, round);
    }
    caucus_end_step(builder);
    caucus_node_rounds_free(&plan->rounds);
    free(plan->marked);
}

void caucus_node_spread(struct caucus_builder *builder, const struct caucus_node *node,
                        int64_t blocks, struct caucus_spread_block *block) {
    struct plan plan = {.builder = builder, .node = node, .blocks = blocks, .block = block};
    if (block)
        spread(&plan);
    free(block);
}

void caucus_node_spread_private(struct caucus_builder *builder, const struct caucus_node *node,
                                int64_t blocks, struct caucus_spread_block *block) {
    struct plan plan = {builder, node, blocks, block, .private_bytes = true};
    if (block)
        spread(&plan);
    free(block);
}
