/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all between two groups, and allgather where nobody knows how long the blocks of its own
 * group are.
 *
 *   round k = 0 … n - 1   A_i and B_j swap a block where i + j is k modulo n = max(p, q)
 *
 * Pairwise has a round in a step, direct 32 of them, or all in any order.
 * Cost: n rounds of one block; ports of the smaller group are never idle. Any p, q and lengths. */
#include "plan/collective/blocks.h"
#include "plan/collective/cost.h"
#include "plan/intergroup/intergroup.h"

#include <stddef.h>

enum { BATCH = 32 };

static int32_t rounds_of(const struct caucus_task *task) {
    int32_t second = task->ranks - task->first_group;
    return task->first_group > second ? task->first_group : second;
}

/* The peer of a round; beyond the other group there is none. Where all is one step there are no
 * rounds, and everybody begins with another peer. */
static int64_t peer_of(const struct caucus_group_blocks *other, int32_t index, int32_t round,
                       int32_t rounds, int32_t batch) {
    if (rounds > batch)
        return ((int64_t)round + rounds - index) % rounds;
    return round < other->ranks ? ((int64_t)round + index) % other->ranks : other->ranks;
}

/* sent is NULL where all get the same block. */
static void exchange(struct caucus_builder *builder, const struct caucus_task *task,
                     const struct caucus_blocks *sent, const struct caucus_blocks *received,
                     int32_t batch) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    int32_t rounds = rounds_of(task), index = task->rank - own.first;
    for (int32_t round = 0; round < rounds; round++) {
        int32_t peer = (int32_t)peer_of(&other, index, round, rounds, batch);
        if (peer < other.ranks) {
            caucus_emit_receive(builder, other.first + peer, caucus_block_place(received, peer),
                                caucus_block_length(received, peer));
            caucus_emit_send(builder, other.first + peer,
                             sent ? caucus_block_place(sent, peer) : in,
                             sent ? caucus_block_length(sent, peer) : task->bytes);
        }
        if (round % batch == batch - 1)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

static void exchange_blocks(struct caucus_builder *builder, const struct caucus_task *task,
                            bool one, int32_t batch) {
    struct caucus_group_blocks other = caucus_intergroup_other(task);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks received =
        caucus_blocks_in_row(builder, out, other.ranks, task->receive_bytes, task->remote_bytes);
    if (one) {
        exchange(builder, task, NULL, &received, batch);
    } else {
        struct caucus_blocks sent =
            caucus_blocks_in_row(builder, in, other.ranks, task->send_bytes, task->bytes);
        exchange(builder, task, &sent, &received, batch);
        caucus_blocks_free(&sent);
    }
    caucus_blocks_free(&received);
}

static void emit_pairwise(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange_blocks(builder, task, false, 1);
}

static void emit_direct(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange_blocks(builder, task, false, BATCH);
}

static void emit_allgather(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange_blocks(builder, task, true, BATCH);
}

static double block_of(const struct caucus_task *task) {
    int64_t longer = task->bytes > task->remote_bytes ? task->bytes : task->remote_bytes;
    return longer ? (double)longer : (double)task->volume / rounds_of(task);
}

static double cost_pairwise(const struct caucus_task *task, const struct caucus_model *model) {
    return rounds_of(task) * caucus_cost_message(task, model, block_of(task));
}

static double cost_direct(const struct caucus_task *task, const struct caucus_model *model) {
    double seconds = 0;
    for (int32_t round = 0; round < rounds_of(task); round += BATCH) {
        int32_t left = rounds_of(task) - round, messages = left < BATCH ? left : BATCH;
        seconds += caucus_cost_burst(task, model, messages, messages, block_of(task));
    }
    return seconds;
}

/* Where blocks differ, ranks with long ones may all begin with the same rank: half as long again.
 */
static double meeting(const struct caucus_group_blocks *from, const struct caucus_model *model) {
    double total = (double)caucus_group_total(from);
    for (int32_t i = 0; i < from->ranks; i++)
        if (2 * (double)caucus_group_block(from, i) * from->ranks > 3 * total)
            return total * model->byte[CAUCUS_BETWEEN_NODES] / 2;
    return 0;
}

/* A rank sends its block as often as the other group has ranks, and gets all of theirs. */
static double cost_allgather(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_blocks sides[] = {caucus_intergroup_own(task),
                                          caucus_intergroup_other(task)};
    double most = 0;
    for (int side = 0; side < 2; side++) {
        int32_t messages = sides[!side].ranks;
        double got = (double)caucus_group_total(&sides[!side]) / messages;
        double more = meeting(&sides[!side], model);
        for (int32_t i = 0; i < sides[side].ranks; i++) {
            double block = (double)caucus_group_block(&sides[side], i);
            double seconds = more + caucus_cost_burst(task, model, messages, messages,
                                                      block > got ? block : got);
            most = seconds > most ? seconds : most;
        }
    }
    return most;
}

static const char pairwise[] = "max(p, q) rounds, in each a swap with one rank of the other group";
static const char blocks[] = "all blocks straight to their ranks, 32 at a time";
static const char one_block[] =
    "each block straight to all ranks of the other group; needs no counts";

const struct caucus_algorithm caucus_intergroup_alltoall_direct = {
    .collective = CAUCUS_ALLTOALL,
    .name = "direct",
    .summary = blocks,
    .emit = emit_direct,
    .cost = cost_direct,
};

const struct caucus_algorithm caucus_intergroup_alltoall_pairwise = {
    .collective = CAUCUS_ALLTOALL,
    .name = "pairwise",
    .summary = pairwise,
    .emit = emit_pairwise,
    .cost = cost_pairwise,
};

const struct caucus_algorithm caucus_intergroup_alltoallv_direct = {
    .collective = CAUCUS_ALLTOALLV,
    .name = "direct",
    .summary = blocks,
    .emit = emit_direct,
    .cost = cost_direct,
};

const struct caucus_algorithm caucus_intergroup_alltoallv_pairwise = {
    .collective = CAUCUS_ALLTOALLV,
    .name = "pairwise",
    .summary = pairwise,
    .emit = emit_pairwise,
    .cost = cost_pairwise,
};

const struct caucus_algorithm caucus_intergroup_alltoallw_direct = {
    .collective = CAUCUS_ALLTOALLW,
    .name = "direct",
    .summary = blocks,
    .emit = emit_direct,
    .cost = cost_direct,
};

const struct caucus_algorithm caucus_intergroup_alltoallw_pairwise = {
    .collective = CAUCUS_ALLTOALLW,
    .name = "pairwise",
    .summary = pairwise,
    .emit = emit_pairwise,
    .cost = cost_pairwise,
};

const struct caucus_algorithm caucus_intergroup_allgather_direct = {
    .collective = CAUCUS_ALLGATHER,
    .name = "direct",
    .summary = one_block,
    .emit = emit_allgather,
    .cost = cost_allgather,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_direct = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "direct",
    .summary = one_block,
    .emit = emit_allgather,
    .cost = cost_allgather,
};
