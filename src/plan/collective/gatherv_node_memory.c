/* SPDX-License-Identifier: BSD-3-Clause */
/* Gatherv and scatterv on one node where the root alone knows all lengths: blocks pass through
 * slots of a fixed size in node memory, as many pieces as it takes.
 *
 * Cost: two copies of every byte; one synchronization for each piece of the longest block. */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

/* Every rank fills in what it knows: the root all blocks, others their own. */
static void spread(struct caucus_builder *builder, const struct caucus_task *task, bool gathers,
                   const struct caucus_blocks *all, struct caucus_place own) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_spread_block *block = caucus_node_block_array(builder, task->ranks);
    bool root = task->rank == task->root;
    for (int32_t i = 0; block && i < task->ranks; i++) {
        struct caucus_place at_rank = i == task->rank ? own : all->base;
        struct caucus_place at_root = root ? caucus_block_place(all, i) : all->base;
        block[i] = (struct caucus_spread_block){
            .writer = gathers ? i : task->root,
            .reader = gathers ? task->root : i,
            .source = gathers ? at_rank : at_root,
            .target = gathers ? at_root : at_rank,
        };
        if (root)
            block[i].bytes = caucus_block_length(all, i);
        else if (i == task->rank)
            block[i].bytes = task->bytes;
    }
    caucus_node_spread(
        builder, &node,
        &(struct caucus_spread){.blocks = task->ranks, .block = block, .private_bytes = true});
    free(block);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = caucus_vector_out;
    bool gathers = task->collective == CAUCUS_GATHERV;
    bool root = task->rank == task->root;
    const int64_t *lengths = gathers ? task->receive_bytes : task->send_bytes;
    struct caucus_blocks all = {.base = gathers ? out : in};
    if (root)
        all = caucus_blocks_in_row(builder, all.base, task->ranks, lengths, task->bytes);
    struct caucus_place own = gathers ? in : out;
    if (task->in_place && root)
        own = caucus_block_place(&all, task->rank);
    builder->schedule.synchronising = task->ranks == 1;
    if (!builder->status)
        spread(builder, task, gathers, &all, own);
    if (root)
        caucus_blocks_free(&all);
}

const struct caucus_algorithm caucus_gatherv_node_memory = {
    .collective = CAUCUS_GATHERV,
    .name = "node_memory",
    .summary = "one node: blocks pass through node memory in pieces of a fixed size",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = caucus_node_rooted_cost,
};

const struct caucus_algorithm caucus_scatterv_node_memory = {
    .collective = CAUCUS_SCATTERV,
    .name = "node_memory",
    .summary = "one node: blocks pass through node memory in pieces of a fixed size",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = caucus_node_rooted_cost,
};
