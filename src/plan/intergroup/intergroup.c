/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/intergroup.h"

#include <stddef.h>

static const int64_t most_bytes = (int64_t)1 << 60;

bool caucus_intergroup_scatters(const struct caucus_task *task) {
    return task->collective == CAUCUS_REDUCE_SCATTER ||
           task->collective == CAUCUS_REDUCE_SCATTER_BLOCK;
}

static struct caucus_group_side side_of(const struct caucus_task *task, bool own) {
    bool first = (task->rank < task->first_group) == own;
    bool sent = own != caucus_intergroup_scatters(task);
    return (struct caucus_group_side){
        .first = first ? 0 : task->first_group,
        .ranks = first ? task->first_group : task->ranks - task->first_group,
        .bytes = own ? task->bytes : task->remote_bytes,
        .length = sent ? task->send_bytes : task->receive_bytes,
    };
}

struct caucus_group_side caucus_own_side(const struct caucus_task *task) {
    return side_of(task, true);
}

struct caucus_group_side caucus_other_side(const struct caucus_task *task) {
    return side_of(task, false);
}

int32_t caucus_intergroup_larger(const struct caucus_task *task) {
    int32_t second = task->ranks - task->first_group;
    return task->first_group > second ? task->first_group : second;
}

int64_t caucus_group_total(const struct caucus_group_side *side) {
    int64_t total = 0;
    for (int32_t i = 0; i < side->ranks; i++) {
        int64_t length = caucus_group_block(side, i);
        if (length > most_bytes - total)
            return -1;
        total += length;
    }
    return total;
}

int64_t caucus_group_longest(const struct caucus_group_side *side) {
    int64_t longest = 0;
    for (int32_t i = 0; i < side->ranks; i++)
        if (caucus_group_block(side, i) > longest)
            longest = caucus_group_block(side, i);
    return longest;
}

bool caucus_intergroup_rooted(enum caucus_collective collective) {
    return collective == CAUCUS_BCAST || collective == CAUCUS_REDUCE ||
           collective == CAUCUS_GATHER || collective == CAUCUS_GATHERV ||
           collective == CAUCUS_SCATTER || collective == CAUCUS_SCATTERV;
}

bool caucus_intergroup_nodes_apart(const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    for (int32_t node = 0; node < map->nodes; node++)
        if (caucus_rank_in_node(map, node, 0) < task->first_group &&
            caucus_rank_in_node(map, node, caucus_node_size(map, node) - 1) >= task->first_group)
            return false;
    return true;
}

/* Whether both arrays of lengths mean the same on all ranks, but for which group is which. */
static bool lengths_known(const struct caucus_task *task) {
    return task->counts_known &&
           (task->collective == CAUCUS_ALLGATHERV || task->collective == CAUCUS_REDUCE_SCATTER ||
            task->collective == CAUCUS_GATHERV || task->collective == CAUCUS_SCATTERV);
}

/* Whether a group's blocks are as long as each other, but not as the other group's. */
static bool is_sided(enum caucus_collective collective) {
    return collective == CAUCUS_ALLGATHER || collective == CAUCUS_ALLTOALL ||
           collective == CAUCUS_REDUCE_SCATTER_BLOCK;
}

struct caucus_task caucus_intergroup_common(const struct caucus_task *task) {
    bool rooted = caucus_intergroup_rooted(task->collective);
    bool second = task->rank >= task->first_group;
    bool root_in_second = task->root < 0 ? second : task->root >= task->first_group;
    bool turned = second && !rooted, lengths = lengths_known(task);
    bool swapped = turned && is_sided(task->collective);
    struct caucus_task same = {
        .collective = task->collective,
        .ranks = task->ranks,
        .first_group = task->first_group,
        .rank = rooted && !root_in_second ? task->first_group : 0,
        .root = rooted && root_in_second ? task->first_group : 0,
        .commutative = task->commutative,
        .element = task->element,
        .counts_known = task->counts_known,
        .nodes = task->nodes,
        .node_limit = task->node_limit,
        .segment = task->segment,
        .volume = task->volume,
    };
    if (!caucus_task_irregular(task->collective)) {
        same.bytes = swapped ? task->remote_bytes : task->bytes;
        same.remote_bytes = swapped ? task->bytes : task->remote_bytes;
    }
    if (lengths) {
        same.send_bytes = turned ? task->receive_bytes : task->send_bytes;
        same.receive_bytes = turned ? task->send_bytes : task->receive_bytes;
    }
    return same;
}
