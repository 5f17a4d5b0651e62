/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/parts.h"

#include "plan/collective/parts.h"

#include "base/status.h"

#include <stdlib.h>

int64_t *caucus_side_cuts(struct caucus_builder *builder, const struct caucus_group_side *side) {
    int64_t *cut = malloc(((size_t)side->ranks + 1) * sizeof *cut);
    if (!cut || caucus_group_total(side) < 0) {
        caucus_builder_fail(builder, cut ? CAUCUS_BAD_ARGUMENT : CAUCUS_NO_MEMORY,
                            "the blocks of %d ranks are too many or too long", (int)side->ranks);
        free(cut);
        return NULL;
    }
    cut[0] = 0;
    for (int32_t i = 0; i < side->ranks; i++)
        cut[i + 1] = cut[i] + caucus_group_block(side, i);
    return cut;
}

struct caucus_group caucus_intergroup_enter_own(struct caucus_builder *builder,
                                                const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task);
    return caucus_enter_group(builder, (struct caucus_group){.size = own.ranks,
                                                             .rank = task->rank - own.first,
                                                             .first = own.first});
}

void caucus_intergroup_tell(struct caucus_builder *builder, const struct caucus_task *task,
                            struct caucus_told told, struct caucus_place heard, int64_t bytes) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    int32_t index = task->rank - own.first;
    caucus_emit_receive(builder, other.first + index % other.ranks, heard, bytes);
    for (int64_t peer = index; peer < other.ranks; peer += own.ranks)
        caucus_emit_send(builder, (int32_t)(other.first + peer),
                         caucus_at(told.first, told.stride * peer), told.bytes);
    caucus_end_step(builder);
}

struct caucus_place caucus_intergroup_reduce_to_lowest(struct caucus_builder *builder,
                                                       const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, sum = in;
    struct caucus_group_side own = caucus_own_side(task);
    if (own.ranks == 1)
        return in;
    if (task->rank == own.first)
        sum = caucus_reserve_scratch(builder, task->bytes);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_reduce_by_postal(builder, 0, in, sum, task->bytes, task->commutative);
    caucus_enter_group(builder, before);
    return sum;
}

struct caucus_task caucus_intergroup_part(const struct caucus_task *task, int32_t ranks,
                                          int64_t bytes) {
    return (struct caucus_task){
        .collective = task->collective,
        .ranks = ranks,
        .commutative = task->commutative,
        .element = task->element,
        .bytes = bytes,
        .nodes = task->nodes,
        .segment = task->segment,
        .volume = bytes,
    };
}

static struct caucus_node_map count_nodes(const struct caucus_node_map *whole,
                                          const struct caucus_group_side *side) {
    struct caucus_node_map nodes = {.ranks = side->ranks, .smallest = side->ranks};
    int32_t rows = 1; /* of ranks that follow one another on a node */
    for (int32_t node = 0; node < whole->nodes; node++) {
        int32_t ranks = 0;
        for (int32_t i = caucus_node_first(whole, node); i < caucus_node_first(whole, node + 1);
             i++) {
            int32_t index = caucus_rank_at(whole, i) - side->first;
            ranks += index >= 0 && index < side->ranks;
        }
        nodes.nodes += ranks > 0;
        nodes.largest = ranks > nodes.largest ? ranks : nodes.largest;
        nodes.smallest = ranks > 0 && ranks < nodes.smallest ? ranks : nodes.smallest;
    }
    for (int32_t rank = side->first + 1; rank < side->first + side->ranks; rank++)
        rows += caucus_node_of_rank(whole, rank) != caucus_node_of_rank(whole, rank - 1);
    nodes.ordered = rows == nodes.nodes;
    return nodes;
}

struct caucus_task caucus_intergroup_side_part(const struct caucus_task *task,
                                               const struct caucus_group_side *side, int64_t bytes,
                                               struct caucus_node_map *nodes) {
    struct caucus_task part = caucus_intergroup_part(task, side->ranks, bytes);
    if (task->nodes) {
        *nodes = count_nodes(task->nodes, side);
        part.nodes = nodes;
    }
    return part;
}

struct caucus_task caucus_intergroup_node_part(const struct caucus_task *task,
                                               const struct caucus_group_side *side,
                                               enum caucus_collective collective,
                                               const struct caucus_node_map *map, int64_t bytes) {
    struct caucus_task part = caucus_intergroup_part(task, side->ranks, bytes);
    part.collective = collective;
    part.rank = task->rank - side->first;
    part.nodes = map;
    part.node_limit = task->node_limit / 2;
    return part;
}
