/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "plan/collective/node_parts.h"

#include <stdlib.h>

struct caucus_lane caucus_lane_enter(struct caucus_builder *builder, const struct caucus_task *task,
                                     int32_t lane, int32_t root) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_lane entered = {.ranks = caucus_array(map->nodes, sizeof *entered.ranks),
                                  .before = builder->group};
    if (!entered.ranks) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the ranks of %d nodes",
                            (int)map->nodes);
        return entered;
    }
    for (int32_t node = 0; node < map->nodes; node++)
        entered.ranks[node] =
            caucus_builder_rank(builder, map->rank_at[map->first[node + (lane < 0)] + lane]);
    if (root >= 0)
        entered.ranks[map->node_of_rank[root]] = caucus_builder_rank(builder, root);
    caucus_enter_group(builder, (struct caucus_group){.size = map->nodes,
                                                      .rank = map->node_of_rank[task->rank],
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
                                          const struct caucus_blocks *all) {
    const struct caucus_node_map *map = task->nodes;
    int32_t own = map->local_of_rank[task->rank] % lanes;
    int64_t *end = caucus_array(lanes, sizeof *end);
    struct caucus_dealt dealt = {
        .lanes = lanes,
        .offset = caucus_array(map->ranks, sizeof *dealt.offset),
        .cut = caucus_array((int64_t)map->nodes + 1, sizeof *dealt.cut),
        .length = caucus_array(map->nodes, sizeof *dealt.length),
    };
    if (!end || !dealt.offset || !dealt.cut || !dealt.length) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory to deal blocks to lanes");
        caucus_dealt_free(&dealt);
    }
    for (int32_t node = 0; node < map->nodes && dealt.offset; node++) {
        for (int32_t at = map->first[node]; at < map->first[node + 1]; at++) {
            int32_t rank = map->rank_at[at], lane = map->local_of_rank[rank] % lanes;
            dealt.offset[rank] = end[lane];
            end[lane] += caucus_block_length(all, rank);
        }
        dealt.cut[node + 1] = end[own];
        dealt.length[node] = dealt.cut[node + 1] - dealt.cut[node];
    }
    free(end);
    return dealt;
}

void caucus_dealt_free(struct caucus_dealt *dealt) {
    free(dealt->offset);
    free(dealt->cut);
    free(dealt->length);
    *dealt = (struct caucus_dealt){0};
}
