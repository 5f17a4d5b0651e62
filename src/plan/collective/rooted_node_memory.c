/* SPDX-License-Identifier: BSD-3-Clause */
/* Gatherv and scatterv on one node where the root alone knows all lengths: blocks pass through
 * slots of a fixed size in node memory, as many pieces as it takes.
 *
 * Cost: two copies of every byte; one synchronization for each piece of the longest block. */
#include "plan/collective/algorithms.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/rooted.h"

/* Every rank fills in what it knows: the root all blocks, others their own. */
void caucus_rooted_node_memory(struct caucus_builder *builder, const struct caucus_task *task) {
    bool gathers = caucus_gathers(task), root = task->rank == task->root;
    struct caucus_node node = caucus_node_of(task);
    struct caucus_blocks all = {.base = caucus_rooted_base(task)};
    if (root)
        all = caucus_rooted_blocks(builder, task, all.base);
    struct caucus_place own = caucus_rooted_own(task, &all);
    struct caucus_spread_block *block =
        caucus_builder_array(builder, task->ranks, sizeof *block, "blocks of a node");
    builder->schedule.synchronising = task->ranks == 1;
    for (int32_t i = 0; block && i < task->ranks; i++) {
        struct caucus_place at_rank = i == task->rank ? own : all.base;
        struct caucus_place at_root = caucus_block_place(&all, i);
        block[i] = (struct caucus_spread_block){
            .writer = gathers ? i : task->root,
            .reader = gathers ? task->root : i,
            .source = gathers ? at_rank : at_root,
            .target = gathers ? at_root : at_rank,
        };
        if (root)
            block[i].bytes = caucus_block_length(&all, i);
        else if (i == task->rank)
            block[i].bytes = task->bytes;
    }
    caucus_node_spread_private(builder, &node, task->ranks, block);
    caucus_blocks_free(&all);
}
