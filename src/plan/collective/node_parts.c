/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_parts.h"
#include "plan/collective/node_rounds.h"

struct caucus_node caucus_node_of(const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    int32_t index = caucus_node_of_rank(map, task->rank);
    return (struct caucus_node){
        .size = caucus_node_size(map, index),
        .local = caucus_local_of_rank(map, task->rank),
        .largest = map->largest,
        .index = index,
        .map = map,
        .limit = task->node_limit / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT,
        .piece = task->segment,
    };
}

struct caucus_node caucus_node_half(const struct caucus_node *node) {
    struct caucus_node half = *node;
    half.limit = half.limit / 2 / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
    return half;
}

int32_t caucus_node_leader(const struct caucus_task *task, int32_t root) {
    const struct caucus_node_map *map = task->nodes;
    bool root_here =
        root >= 0 && caucus_node_of_rank(map, root) == caucus_node_of_rank(map, task->rank);
    return root_here ? caucus_local_of_rank(map, root) : 0;
}

bool caucus_node_can_spread(int64_t limit) {
    return limit >= CAUCUS_NODE_BUFFERS * CAUCUS_NODE_ALIGNMENT;
}

bool caucus_node_can_combine(int64_t limit, int32_t largest, int64_t bytes, int64_t element) {
    int64_t buffer = limit / largest / CAUCUS_NODE_BUFFERS;
    bool in_lines = bytes <= CAUCUS_LINE_PAYLOAD - caucus_line_lead(element);
    return caucus_node_can_spread(limit) &&
           (in_lines || buffer / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT >= element);
}

void caucus_node_bcast(struct caucus_builder *builder, const struct caucus_node *node,
                       int32_t writer, struct caucus_place data, int64_t bytes) {
    struct caucus_spread_block *block = caucus_builder_array(builder, 1, sizeof *block, "blocks");
    if (block)
        *block =
            (struct caucus_spread_block){writer, CAUCUS_EVERYBODY, bytes, data, data, .unit = 0};
    caucus_node_spread(builder, node, 1, block);
}

/* One block of all ranks below upto. */
static void combine(struct caucus_builder *builder, const struct caucus_node *node, int32_t reader,
                    int32_t upto, struct caucus_place in, struct caucus_place out, int64_t bytes,
                    int64_t element) {
    struct caucus_combine_block *block = caucus_builder_array(builder, 1, sizeof *block, "blocks");
    if (block)
        *block = (struct caucus_combine_block){reader, .bytes = bytes, .target = out};
    struct caucus_combine combine = {in, element, upto, 1, block};
    caucus_node_combine(builder, node, &combine);
}

void caucus_node_reduce(struct caucus_builder *builder, const struct caucus_node *node,
                        int32_t reader, struct caucus_place in, struct caucus_place out,
                        int64_t bytes, int64_t element) {
    if (bytes > 0 && caucus_node_can_combine(node->limit, node->largest, bytes, element) &&
        caucus_node_has_teams(node->size, bytes, node->limit))
        caucus_node_combine_in_teams(builder, node, reader, in, out, bytes, element);
    else
        combine(builder, node, reader, node->size, in, out, bytes, element);
}

void caucus_node_scan(struct caucus_builder *builder, const struct caucus_node *node,
                      struct caucus_place in, struct caucus_place out, int64_t bytes,
                      int64_t element, bool inclusive) {
    combine(builder, node, CAUCUS_EVERYBODY, node->local + inclusive, in, out, bytes, element);
}
