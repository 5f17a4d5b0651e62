/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all of any lengths, straight between ranks, in rounds of one message each way.
 *
 *   round k = 1 … p-1   rank r tells r + k and hears r - k (modulo p)
 *   in place: k = 0 … p-1   rank r and k - r swap their blocks
 *
 * linear     32 rounds at a time, in one step: a latency only for each batch, and requests stay
 *            bounded. For blocks of some length.
 * pairwise   one round after the other, so that no rank is sent to by two at a time. For large
 * data.
 *
 * Cost: p - 1 messages of one block: every byte goes straight to its rank. Any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/blocks.h"
#include "plan/collective/cost.h"

enum { BATCH = 32 }; /* messages at a time, each way */

/* Round k = 1 … p - 1: to r + k, from r - k. */
static void exchange_apart(struct caucus_builder *builder, const struct caucus_blocks *sent,
                           const struct caucus_blocks *received, int32_t batch) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    caucus_emit_copy(builder, caucus_block_place(sent, rank), caucus_block_place(received, rank),
                     caucus_block_length(received, rank));
    for (int32_t round = 1; round < size; round++) {
        int32_t to = (int32_t)(((int64_t)rank + round) % size);
        int32_t from = (int32_t)(((int64_t)rank - round + size) % size);
        caucus_emit_receive(builder, from, caucus_block_place(received, from),
                            caucus_block_length(received, from));
        caucus_emit_send(builder, to, caucus_block_place(sent, to), caucus_block_length(sent, to));
        if (round % batch == 0)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

static int32_t partner_of(const struct caucus_builder *builder, int32_t round) {
    int32_t size = builder->group.size;
    return (int32_t)(((int64_t)round - builder->group.rank + size) % size);
}

/* The bytes that rounds first to end, exclusive, bring. */
static int64_t coming(struct caucus_builder *builder, const struct caucus_blocks *blocks,
                      int32_t first, int32_t end) {
    int64_t bytes = 0;
    for (int32_t round = first; round < end; round++)
        bytes += caucus_block_length(blocks, partner_of(builder, round));
    return bytes;
}

static int64_t most_coming(struct caucus_builder *builder, const struct caucus_blocks *blocks,
                           int32_t batch) {
    int32_t size = builder->group.size;
    int64_t most = 0;
    for (int32_t first = 0; first < size; first += batch) {
        int32_t end = batch < size - first ? first + batch : size;
        int64_t bytes = coming(builder, blocks, first, end);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Blocks from scratch into the places of partners that have theirs. */
static void put_in_place(struct caucus_builder *builder, const struct caucus_blocks *blocks,
                         int32_t first, int32_t end, struct caucus_place scratch) {
    for (int32_t round = first; round < end; round++) {
        int32_t partner = partner_of(builder, round);
        int64_t length = caucus_block_length(blocks, partner);
        if (partner == builder->group.rank)
            continue;
        caucus_emit_copy(builder, scratch, caucus_block_place(blocks, partner), length);
        scratch.offset += length;
    }
}

/* Round k = 0 … p - 1: with k - r, so that both swap one block. It arrives in one of two pieces of
 * scratch, and goes to its place while the next batch is under way. */
static void exchange_in_place(struct caucus_builder *builder, const struct caucus_blocks *blocks,
                              int32_t batch) {
    int32_t size = builder->group.size, before = 0;
    int64_t room = most_coming(builder, blocks, batch);
    struct caucus_place scratch[2];
    for (int i = 0; i < 2; i++)
        scratch[i] = caucus_reserve_scratch(builder, room);
    int turn = 0;
    for (int32_t first = 0; first < size; turn ^= 1) {
        int32_t end = batch < size - first ? first + batch : size;
        struct caucus_place at = scratch[turn];
        put_in_place(builder, blocks, before, first, scratch[turn ^ 1]);
        for (int32_t round = first; round < end; round++) {
            int32_t partner = partner_of(builder, round);
            int64_t length = caucus_block_length(blocks, partner);
            if (partner == builder->group.rank)
                continue;
            caucus_emit_receive(builder, partner, at, length);
            caucus_emit_send(builder, partner, caucus_block_place(blocks, partner), length);
            at.offset += length;
        }
        caucus_end_step(builder);
        before = first;
        first = end;
    }
    put_in_place(builder, blocks, before, size, scratch[turn ^ 1]);
    caucus_end_step(builder);
}

static void exchange(struct caucus_builder *builder, const struct caucus_task *task,
                     int32_t batch) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks received =
        caucus_blocks_in_row(builder, out, task->ranks, task->receive_bytes, task->bytes);
    if (task->in_place) {
        exchange_in_place(builder, &received, batch);
    } else {
        struct caucus_blocks sent =
            caucus_blocks_in_row(builder, in, task->ranks, task->send_bytes, task->bytes);
        exchange_apart(builder, &sent, &received, batch);
        caucus_blocks_free(&sent);
    }
    caucus_blocks_free(&received);
}

/* In a round all wait for the longest block; in a batch long ones and short ones even out. */
static double block_of(const struct caucus_task *task, int32_t batch) {
    const struct caucus_traffic_table *traffic = task->traffic;
    int64_t longest = 0;
    if (batch > 1 || !traffic)
        return (double)task->volume / task->ranks;
    for (int32_t rank = 0; rank < task->ranks; rank++)
        for (int64_t i = traffic->first[rank]; i < traffic->first[rank + 1]; i++)
            if (traffic->destination[i] != rank && traffic->bytes[i] > longest)
                longest = traffic->bytes[i];
    return (double)longest;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model,
                   int32_t batch) {
    double block = block_of(task, batch), seconds = caucus_cost_copy(model, block);
    const struct caucus_node_map *nodes = task->nodes;
    /* The own block is no message; of unequal ones block is that of the rank with most. */
    double blocks = caucus_task_irregular(task->collective) ? task->ranks : task->ranks - 1;
    double outside = nodes ? (task->ranks - nodes->smallest) / blocks : 1;
    for (int32_t first = 1; first < task->ranks; first += batch) {
        int32_t messages = batch < task->ranks - first ? batch : task->ranks - first;
        seconds += messages == 1
                       ? caucus_cost_shift(task, model, first, block)
                       : caucus_cost_burst(task, model, messages, messages * outside, block);
    }
    return seconds;
}

void caucus_alltoall_linear(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange(builder, task, BATCH);
}

void caucus_alltoall_pairwise(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange(builder, task, 1);
}

double caucus_alltoall_linear_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    return cost(task, model, BATCH);
}

double caucus_alltoall_pairwise_cost(const struct caucus_task *task,
                                     const struct caucus_model *model) {
    return cost(task, model, 1);
}
