/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather straight to the root, and scatter straight from it.
 *
 *   step k = 0, 1, …   the root hears, or tells, ranks root + 32k + 1 … root + 32k + 32 (modulo p)
 *
 * Cost: p - 1 messages at the root, every byte once. For large data, where nothing that is
 * forwarded can be faster, and where only the root knows the lengths; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/rooted.h"

#include <math.h>

enum { BATCH = 32 }; /* requests at a time */

void caucus_rooted_linear(struct caucus_builder *builder, const struct caucus_task *task) {
    bool gathers = caucus_gathers(task);
    struct caucus_blocks all = caucus_rooted_blocks(builder, task, caucus_rooted_base(task));
    struct caucus_place own = caucus_rooted_own(task, &all);
    int32_t root = task->root, others = task->rank == root ? task->ranks - 1 : 0;
    if (task->rank == root)
        caucus_emit_copy_or_back(builder, !gathers, own, caucus_block_place(&all, root),
                                 caucus_block_length(&all, root));
    else
        caucus_emit_message(builder, gathers, root, own, task->bytes);
    for (int32_t distance = 1; distance <= others; distance++) {
        int32_t peer = (int32_t)(((int64_t)root + distance) % task->ranks);
        caucus_emit_message(builder, !gathers, peer, caucus_block_place(&all, peer),
                            caucus_block_length(&all, peer));
        if (distance % BATCH == 0)
            caucus_end_step(builder);
    }
    caucus_end_step(builder);
    caucus_blocks_free(&all);
}

/* All at once, bounded by what the root's processor, its port and the wire take. */
double caucus_rooted_linear_cost(const struct caucus_task *task, const struct caucus_model *model) {
    const struct caucus_node_map *nodes = task->nodes;
    double block = (double)task->volume / task->ranks;
    double within = nodes ? nodes->largest - 1 : 0, between = task->ranks - 1 - within;
    const double messages[] = {within, between};
    double processor = 0, port = 0;
    for (int distance = 0; distance < CAUCUS_DISTANCES; distance++) {
        processor += messages[distance] * (model->overhead[distance] + model->operation);
        port += messages[distance] * block * model->byte[distance];
    }
    enum caucus_distance last = between > 0 ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE;
    if (model->ports == 0)
        port = block * model->byte[last];
    port = fmax(port, between * block * model->card_byte);
    return model->latency[last] + 2 * model->overhead[last] + block * model->byte[last] +
           fmax(processor, port);
}
