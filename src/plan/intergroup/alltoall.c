/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all between two groups, and allgather where nobody knows how long the blocks of its own
 * group are.
 *
 *   round k = 0 … n - 1   A_i and B_j swap a block where i + j is k modulo n
 *
 * Pairwise has a round in a step, and n = max(p, q), so that nobody has two in a round. Direct has
 * 32 swaps in a step, and n = min(p, q): else ranks of the larger group whose turn comes late would
 * send first, and those of the smaller one would wait for all of them before they send any more.
 * Cost: max(p, q) blocks; ports of the smaller group are never idle. Any p, q and lengths. */
#include "plan/collective/blocks.h"
#include "plan/collective/cost.h"
#include "plan/intergroup/intergroup.h"

#include <stddef.h>

enum { BATCH = 32 };

static int32_t rounds_of(const struct caucus_task *task) {
    int32_t second = task->ranks - task->first_group;
    return task->first_group > second ? task->first_group : second;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* The rounds of a rank, of which each has so many swaps with ranks that are n apart. */
struct turns {
    int32_t rounds, swaps;
};

static struct turns turns_of(const struct caucus_task *task, const struct caucus_group_blocks *own,
                             const struct caucus_group_blocks *other, bool pairwise) {
    int32_t rounds = pairwise ? rounds_of(task) : smaller(own->ranks, other->ranks);
    return (struct turns){rounds, (other->ranks + rounds - 1) / rounds};
}

/* sent is NULL where all get the same block. */
static void exchange(struct caucus_builder *builder, const struct caucus_task *task,
                     const struct caucus_blocks *sent, const struct caucus_blocks *received,
                     bool pairwise) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    struct turns turns = turns_of(task, &own, &other, pairwise);
    int32_t index = (task->rank - own.first) % turns.rounds;
    for (int32_t round = 0, swaps = 0; round < turns.rounds; round++)
        for (int32_t i = 0; i < turns.swaps; i++) {
            int64_t peer =
                ((int64_t)round + turns.rounds - index) % turns.rounds + (int64_t)i * turns.rounds;
            if (peer >= other.ranks)
                continue;
            int32_t rank = other.first + (int32_t)peer;
            caucus_emit_receive(builder, rank, caucus_block_place(received, (int32_t)peer),
                                caucus_block_length(received, (int32_t)peer));
            caucus_emit_send(builder, rank, sent ? caucus_block_place(sent, (int32_t)peer) : in,
                             sent ? caucus_block_length(sent, (int32_t)peer) : task->bytes);
            if (++swaps % (pairwise ? 1 : BATCH) == 0)
                caucus_end_step(builder);
        }
    caucus_end_step(builder);
}

static void exchange_blocks(struct caucus_builder *builder, const struct caucus_task *task,
                            bool one, bool pairwise) {
    struct caucus_group_blocks other = caucus_intergroup_other(task);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks received =
        caucus_blocks_in_row(builder, out, other.ranks, task->receive_bytes, task->remote_bytes);
    if (one) {
        exchange(builder, task, NULL, &received, pairwise);
    } else {
        struct caucus_blocks sent =
            caucus_blocks_in_row(builder, in, other.ranks, task->send_bytes, task->bytes);
        exchange(builder, task, &sent, &received, pairwise);
        caucus_blocks_free(&sent);
    }
    caucus_blocks_free(&received);
}

static void emit_pairwise(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange_blocks(builder, task, false, true);
}

static void emit_direct(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange_blocks(builder, task, false, false);
}

static void emit_allgather(struct caucus_builder *builder, const struct caucus_task *task) {
    exchange_blocks(builder, task, true, false);
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
