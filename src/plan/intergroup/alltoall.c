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
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include <stddef.h>

enum { BATCH = 32 };

static bool gathers(const struct caucus_task *task) {
    return task->collective == CAUCUS_ALLGATHER || task->collective == CAUCUS_ALLGATHERV;
}

static void exchange(struct caucus_builder *builder, const struct caucus_task *task,
                     bool pairwise) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    bool one = gathers(task);
    struct caucus_blocks sent = caucus_blocks_in_row(builder, in, one ? 1 : other.ranks,
                                                     one ? NULL : task->send_bytes, task->bytes);
    struct caucus_blocks received =
        caucus_blocks_in_row(builder, out, other.ranks, task->receive_bytes, task->remote_bytes);
    int32_t fewer = own.ranks < other.ranks ? own.ranks : other.ranks, swaps = 0;
    int64_t rounds = pairwise ? caucus_intergroup_larger(task) : fewer;
    int64_t index = (task->rank - own.first) % rounds;
    for (int64_t round = 0; round < rounds; round++)
        for (int64_t at = (round + rounds - index) % rounds; at < other.ranks; at += rounds) {
            int32_t peer = (int32_t)at, block = one ? 0 : peer; /* all get the same one */
            caucus_emit_receive(builder, other.first + peer, caucus_block_place(&received, peer),
                                caucus_block_length(&received, peer));
            caucus_emit_send(builder, other.first + peer, caucus_block_place(&sent, block),
                             caucus_block_length(&sent, block));
            if (++swaps % (pairwise ? 1 : BATCH) == 0)
                caucus_end_step(builder);
        }
    caucus_end_step(builder);
    caucus_blocks_free(&sent);
    caucus_blocks_free(&received);
}

static double block_of(const struct caucus_task *task) {
    int64_t longer = task->bytes > task->remote_bytes ? task->bytes : task->remote_bytes;
    return longer ? (double)longer : (double)task->volume / caucus_intergroup_larger(task);
}

/* Where blocks differ, ranks with long ones may all begin with the same rank: half as long again.
 */
static double meeting(const struct caucus_group_side *from, const struct caucus_model *model) {
    double total = (double)caucus_group_total(from);
    for (int32_t i = 0; i < from->ranks; i++)
        if (2 * (double)caucus_group_block(from, i) * from->ranks > 3 * total)
            return total * model->byte[CAUCUS_BETWEEN_NODES] / 2;
    return 0;
}

/* A rank sends its block as often as the other group has ranks, and gets all of theirs. */
static double allgather_cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_side sides[] = {caucus_own_side(task), caucus_other_side(task)};
    double most = 0;
    for (int side = 0; side < 2; side++) {
        int32_t messages = sides[!side].ranks;
        double got = (double)caucus_group_total(&sides[!side]) / messages;
        double more = meeting(&sides[!side], model);
        struct caucus_node_map nodes;
        struct caucus_task part = caucus_intergroup_side_part(task, &sides[side], 0, &nodes);
        for (int32_t i = 0; i < sides[side].ranks; i++) {
            double block = (double)caucus_group_block(&sides[side], i);
            double seconds = more + caucus_cost_burst(&part, model, messages, messages,
                                                      block > got ? block : got);
            most = seconds > most ? seconds : most;
        }
    }
    return most;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model,
                   bool pairwise) {
    int32_t swaps = caucus_intergroup_larger(task);
    double seconds = 0;
    if (gathers(task))
        return allgather_cost(task, model);
    if (pairwise)
        return swaps * caucus_cost_message(task, model, block_of(task));
    for (int32_t messages; swaps > 0; swaps -= messages) {
        messages = swaps < BATCH ? swaps : BATCH;
        seconds += caucus_cost_burst(task, model, messages, messages, block_of(task));
    }
    return seconds;
}

CAUCUS_INTERGROUP_ONE_OF(alltoall_direct, exchange, cost, false)
CAUCUS_INTERGROUP_ONE_OF(alltoall_pairwise, exchange, cost, true)
