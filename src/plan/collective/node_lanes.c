/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_parts.h"

#include <stdlib.h>

struct caucus_lane caucus_lane_enter(struct caucus_builder *builder, const struct caucus_task *task,
                                     int32_t lane, int32_t root) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_lane entered = {
        .ranks = caucus_builder_array(builder, map->nodes, sizeof *entered.ranks, "nodes"),
        .before = builder->group};
    for (int32_t node = 0; entered.ranks && node < map->nodes; node++) {
        int32_t local = lane < 0 ? caucus_node_size(map, node) + lane : lane;
        entered.ranks[node] = caucus_builder_rank(builder, caucus_rank_in_node(map, node, local));
    }
    if (entered.ranks && root >= 0)
        entered.ranks[caucus_node_of_rank(map, root)] = caucus_builder_rank(builder, root);
    /* Without memory too: nothing is emitted any more, but what asks for the group's size has
     * blocks for so many. */
    caucus_enter_group(builder, (struct caucus_group){.size = map->nodes,
                                                      .rank = caucus_node_of_rank(map, task->rank),
                                                      .ranks = entered.ranks});
    return entered;
}

void caucus_lane_leave(struct caucus_builder *builder, struct caucus_lane *lane) {
    caucus_enter_group(builder, lane->before);
    free(lane->ranks);
    lane->ranks = NULL;
}

struct caucus_dealt caucus_dealt_to_lanes(struct caucus_builder *builder,
                                          const struct caucus_task *task, int32_t lanes,
                                          struct caucus_blocks all) {
    const struct caucus_node_map *map = task->nodes;
    int64_t *end = caucus_builder_array(builder, lanes, sizeof *end, "lanes");
    struct caucus_dealt dealt = {
        .task = task,
        .node = caucus_node_of(task),
        .all = all,
        .lanes = lanes,
        .offset = caucus_builder_array(builder, map->ranks, sizeof *dealt.offset, "blocks"),
        .cut = caucus_builder_array(builder, (int64_t)map->nodes + 1, sizeof *dealt.cut, "nodes"),
        .length = caucus_builder_array(builder, map->nodes, sizeof *dealt.length, "nodes"),
    };
    int32_t own = caucus_dealt_lane(&dealt, task->rank);
    for (int32_t node = 0; node < map->nodes && !builder->status; node++) {
        for (int32_t at = caucus_node_first(map, node); at < caucus_node_first(map, node + 1);
             at++) {
            int32_t rank = caucus_rank_at(map, at), lane = caucus_dealt_lane(&dealt, rank);
            dealt.offset[rank] = end[lane];
            end[lane] += caucus_block_length(&all, rank);
        }
        dealt.cut[node + 1] = end[own];
        dealt.length[node] = dealt.cut[node + 1] - dealt.cut[node];
    }
    free(end);
    return dealt;
}

void caucus_dealt_free(struct caucus_dealt *dealt) {
    caucus_blocks_free(&dealt->all);
    free(dealt->offset);
    free(dealt->cut);
    free(dealt->length);
    *dealt = (struct caucus_dealt){0};
}
