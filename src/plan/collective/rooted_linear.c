/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather straight to the root, and scatter straight from it.
 *
 *   step k = 0, 1, …   the root hears, or tells, ranks root + 32k + 1 … root + 32k + 32 (modulo p)
 *
 * Cost: p - 1 messages at the root, every byte once. For large data, where nothing that is
 * forwarded can be faster, and where only the root knows the lengths; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
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

struct caucus_rooted_load caucus_rooted_load_above(const struct caucus_task *task, int64_t bytes) {
    const int64_t *length = caucus_rooted_lengths(task);
    double volume = (double)task->volume;
    struct caucus_rooted_load load = {0};
    if (!length)
        return (struct caucus_rooted_load){task->ranks, volume, volume / task->ranks};
    for (int32_t rank = 0; rank < task->ranks; rank++) {
        if (length[rank] <= bytes)
            continue;
        load.blocks++;
        load.bytes += (double)length[rank];
        load.longest = fmax(load.longest, (double)length[rank]);
    }
    return load;
}

/* All at once, bounded by what the root's processor, its port and the wire take. Who has sent his
 * block to a gather is done; who waits for that of a scatter takes turns with the root. */
double caucus_rooted_straight_cost(const struct caucus_task *task, const struct caucus_model *model,
                                   const struct caucus_rooted_load *load) {
    const struct caucus_node_map *nodes = task->nodes;
    const struct caucus_model few =
        caucus_gathers(task) ? caucus_cost_part(task, model, 2) : *model;
    double within = nodes ? nodes->largest - 1 : 0, between = task->ranks - 1 - within;
    const double parts[] = {within / task->ranks, between / task->ranks};
    double processor = 0, port = 0;
    for (int distance = 0; distance < CAUCUS_DISTANCES; distance++) {
        double messages = parts[distance] * load->blocks;
        processor += messages * (few.overhead[distance] + few.operation);
        port += parts[distance] * load->bytes * few.byte[distance];
    }
    enum caucus_distance last = between > 0 ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE;
    double mean = load->bytes / task->ranks;
    if (few.ports == 0)
        port = load->longest * few.byte[last];
    port = fmax(port, parts[CAUCUS_BETWEEN_NODES] * load->bytes * few.card_byte);
    return few.latency[last] + 2 * few.overhead[last] + mean * few.byte[last] +
           fmax(processor, port);
}

double caucus_rooted_linear_cost(const struct caucus_task *task, const struct caucus_model *model) {
    const struct caucus_rooted_load all = caucus_rooted_load_above(task, 0);
    return caucus_rooted_straight_cost(task, model, &all);
}
