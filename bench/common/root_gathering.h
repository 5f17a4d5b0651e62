/* SPDX-License-Identifier: BSD-3-Clause */
/* The root gathering algorithm, which MPI libraries have for allgather between groups: each group
 * gathers to its lowest rank, these two swap, and broadcast what they got. By the gather and the
 * broadcast that are predicted to be the fastest in each group, or by given ones. */
#ifndef CAUCUS_BENCH_ROOT_GATHERING_H
#define CAUCUS_BENCH_ROOT_GATHERING_H

#include "plan/choice/choose.h"
#include "plan/intergroup/intergroup.h"

/* Names of algorithms; NULL: the fastest. */
struct root_gathering_parts {
    const char *gather, *bcast;
};

/* Of a group; what the other one sends it has other_bytes. */
struct root_gathering_side {
    struct caucus_node_map nodes;
    struct caucus_task gather, bcast; /* of its rank 0 */
    const struct caucus_algorithm *gather_by, *bcast_by;
};

static struct root_gathering {
    struct root_gathering_side side[2];
    int32_t first_group;
    int64_t total[2];
} root_gathering;

static inline struct caucus_task root_gathering_part(enum caucus_collective collective,
                                                     const struct caucus_node_map *nodes,
                                                     int64_t volume, int64_t node_limit) {
    return (struct caucus_task){.collective = collective,
                                .ranks = nodes->ranks,
                                .element = 1,
                                .bytes = collective == CAUCUS_BCAST ? volume : 0,
                                .counts_known = true,
                                .nodes = nodes,
                                .node_limit = node_limit,
                                .volume = volume};
}

static inline int root_gathering_side_init(struct root_gathering_side *side,
                                           const struct caucus_problem_shape *shape, int32_t first,
                                           int32_t ranks, int64_t own, int64_t other,
                                           const struct caucus_model *model,
                                           const struct root_gathering_parts *parts) {
    int status = caucus_node_map_part(&side->nodes, shape->nodes, first, ranks);
    side->gather = root_gathering_part(CAUCUS_GATHERV, &side->nodes, own, shape->node_limit);
    side->gather.receive_bytes = shape->lengths + first;
    side->bcast = root_gathering_part(CAUCUS_BCAST, &side->nodes, other, shape->node_limit);
    if (!status)
        status = caucus_algorithm_choose(&side->gather, model, parts->gather, CAUCUS_NEEDS_COUNTS,
                                         &side->gather_by);
    return status ? status
                  : caucus_algorithm_choose(&side->bcast, model, parts->bcast, 0, &side->bcast_by);
}

static inline int root_gathering_init(const struct caucus_problem_shape *shape,
                                      const struct caucus_model *model,
                                      const struct root_gathering_parts *parts) {
    struct root_gathering *all = &root_gathering;
    int32_t first = shape->first_group;
    *all = (struct root_gathering){.first_group = first};
    for (int32_t rank = 0; rank < shape->ranks; rank++)
        all->total[rank >= first] += shape->lengths[rank];
    int status = root_gathering_side_init(&all->side[0], shape, 0, first, all->total[0],
                                          all->total[1], model, parts);
    return status ? status
                  : root_gathering_side_init(&all->side[1], shape, first, shape->ranks - first,
                                             all->total[1], all->total[0], model, parts);
}

static inline void root_gathering_free(void) {
    for (int side = 0; side < 2; side++)
        caucus_node_map_free(&root_gathering.side[side].nodes);
}

/* A gather's result goes to out, which is for what the other group has: to scratch with it. */
static inline void root_gathering_move(struct caucus_builder *builder, int64_t begin,
                                       struct caucus_place row) {
    for (int64_t i = begin; i < builder->schedule.count; i++) {
        struct caucus_operation *operation = &builder->schedule.operations[i];
        if (operation->kind != CAUCUS_OPERATION_RECEIVE && operation->source == CAUCUS_BUFFER_OUT) {
            operation->source = CAUCUS_BUFFER_SCRATCH;
            operation->source_offset += row.offset;
        }
        if (operation->kind != CAUCUS_OPERATION_SEND && operation->target == CAUCUS_BUFFER_OUT) {
            operation->target = CAUCUS_BUFFER_SCRATCH;
            operation->target_offset += row.offset;
        }
    }
}

static inline void root_gathering_emit(struct caucus_builder *builder,
                                       const struct caucus_task *task) {
    int mine = task->rank >= root_gathering.first_group;
    struct root_gathering_side *side = &root_gathering.side[mine];
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0}, row = {CAUCUS_BUFFER_SCRATCH, 0};
    int32_t first = mine ? task->first_group : 0, other = mine ? 0 : task->first_group;
    int64_t begin = builder->schedule.count;
    struct caucus_group own = {
        .size = side->nodes.ranks, .rank = task->rank - first, .first = first};
    side->gather.rank = side->bcast.rank = own.rank;
    side->gather.bytes = task->bytes;
    if (own.rank == 0)
        row = caucus_reserve_scratch(builder, root_gathering.total[mine]);
    struct caucus_group before = caucus_enter_group(builder, own);
    side->gather_by->emit(builder, &side->gather);
    caucus_end_step(builder);
    root_gathering_move(builder, begin, row);
    caucus_enter_group(builder, before);
    if (own.rank == 0) {
        caucus_emit_receive(builder, other, out, root_gathering.total[!mine]);
        caucus_emit_send(builder, other, row, root_gathering.total[mine]);
        caucus_end_step(builder);
    }
    caucus_enter_group(builder, own);
    side->bcast_by->emit(builder, &side->bcast);
    caucus_enter_group(builder, before);
}

static const struct caucus_algorithm root_gathering_algorithm = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "root gathering",
    .summary = "a gather in each group, whose roots swap and broadcast",
    .emit = root_gathering_emit,
};

#endif
