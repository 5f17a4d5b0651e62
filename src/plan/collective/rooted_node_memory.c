/* SPDX-License-Identifier: BSD-3-Clause */
/* Gatherv and scatterv on one node where the root alone knows all lengths: blocks pass through
 * slots of a fixed size in node memory, in up to 65,536 pieces; what is beyond goes as one message.
 *
 * Cost: two copies of every byte; one synchronization for each piece of the longest block. */
#include "plan/collective/algorithms.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/rooted.h"

/* What is beyond the first bytes of blocks of others than the root. */
static void pass_rest(struct caucus_builder *builder, const struct caucus_task *task,
                      const struct caucus_blocks *all, struct caucus_place own, int64_t passed) {
    const bool root = task->rank == task->root;
    for (int32_t i = 0; i < task->ranks; i++) {
        int64_t bytes = root ? caucus_block_length(all, i) : i == task->rank ? task->bytes : 0;
        if (i == task->root || bytes <= passed)
            continue;
        caucus_emit_message(builder, caucus_gathers(task) != root, root ? i : task->root,
                            caucus_at(root ? caucus_block_place(all, i) : own, passed),
                            bytes - passed);
    }
    caucus_end_step(builder);
}

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
    const int64_t most = caucus_node_private_most(&node, task->ranks);
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
        if (i != task->root && block[i].bytes > most)
            block[i].bytes = most;
    }
    caucus_node_spread_private(builder, &node, task->ranks, block);
    pass_rest(builder, task, &all, own, most);
    caucus_blocks_free(&all);
}
