/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_parts.h"
#include "plan/collective/node_rounds.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

/* How much of the vector a turn has: what all nodes have room for, with half of their memory for
 * operands, in two buffers. */
static int64_t turn_bytes(const struct caucus_task *task, int32_t parts) {
    int64_t room = task->node_limit / 2 / task->nodes->largest;
    int64_t most = task->segment > 0 ? task->segment * parts : CAUCUS_NODE_LONG_PIECE;
    if (task->bytes <= room && task->bytes <= most)
        return task->bytes;
    room = room / CAUCUS_NODE_BUFFERS / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
    int64_t turn = (room < most ? room : most) / task->element * task->element;
    return turn > 0 ? turn : task->element;
}

struct caucus_slices caucus_slices_init(struct caucus_builder *builder,
                                        const struct caucus_task *task, int32_t parts) {
    int64_t turn = turn_bytes(task, parts);
    int64_t turns = task->bytes > 0 ? (task->bytes + turn - 1) / turn : 0;
    struct caucus_slices slices = {.parts = parts, .count = turns * parts};
    slices.cut =
        caucus_builder_array(builder, slices.count + 1, sizeof *slices.cut, "slices of a vector");
    if (!slices.cut)
        slices.count = 0;
    for (int64_t i = 0; i < slices.count; i++) {
        int64_t begin = i / parts * turn;
        int64_t bytes = begin + turn <= task->bytes ? turn : task->bytes - begin;
        slices.cut[i + 1] = begin + caucus_vector_cut(bytes, task->element, parts, i % parts + 1);
    }
    return slices;
}

void caucus_slices_free(struct caucus_slices *slices) {
    free(slices->cut);
    *slices = (struct caucus_slices){0};
}

int64_t caucus_slices_bytes(const struct caucus_slices *slices, int32_t part) {
    int64_t bytes = 0;
    for (int64_t i = part; part < slices->parts && i < slices->count; i += slices->parts)
        bytes += slices->cut[i + 1] - slices->cut[i];
    return bytes;
}

/* Where this rank has the slice that comes next among its own. */
static struct caucus_place own_place(const struct caucus_slices *slices, int64_t slice,
                                     const struct caucus_place *packed, int64_t *at,
                                     struct caucus_place data) {
    if (!packed)
        return caucus_at(data, slices->cut[slice]);
    struct caucus_place place = caucus_at(*packed, *at);
    *at += slices->cut[slice + 1] - slices->cut[slice];
    return place;
}

void caucus_node_reduce_scatter(struct caucus_builder *builder, const struct caucus_node *node,
                                const struct caucus_slices *slices, struct caucus_place in,
                                const struct caucus_place *packed, struct caucus_place data,
                                int64_t element) {
    struct caucus_combine_block *block =
        caucus_builder_array(builder, slices->count, sizeof *block, "slices of a vector");
    int64_t at = 0;
    for (int64_t i = 0; block && i < slices->count; i++) {
        block[i] = (struct caucus_combine_block){
            .reader = (int32_t)(i % slices->parts),
            .offset = slices->cut[i],
            .bytes = slices->cut[i + 1] - slices->cut[i],
            .unit = (int32_t)(i / slices->parts),
        };
        if (block[i].reader == node->local)
            block[i].target = own_place(slices, i, packed, &at, data);
    }
    struct caucus_combine combine = {in, element, node->size, slices->count, block};
    caucus_node_combine(builder, node, &combine);
}

void caucus_node_allgather(struct caucus_builder *builder, const struct caucus_node *node,
                           const struct caucus_slices *slices, int32_t reader,
                           const struct caucus_place *packed, struct caucus_place data) {
    struct caucus_spread_block *block =
        caucus_builder_array(builder, slices->count, sizeof *block, "slices of a vector");
    int64_t at = 0;
    for (int64_t i = 0; block && i < slices->count; i++) {
        block[i] = (struct caucus_spread_block){
            .writer = (int32_t)(i % slices->parts),
            .reader = reader,
            .bytes = slices->cut[i + 1] - slices->cut[i],
            .target = caucus_at(data, slices->cut[i]),
            .unit = (int32_t)(i / slices->parts),
        };
        if (block[i].writer == node->local)
            block[i].source = own_place(slices, i, packed, &at, data);
    }
    caucus_node_spread(builder, node, slices->count, block);
}
