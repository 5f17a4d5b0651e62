/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter between two groups: the allgather by a striped ring (allgather_striped_ring.c)
 * backwards, and with it allreduce.
 *
 *   slot t   rank s of a ring gets a chunk of the other group's result from s + 1, or, where this
 *            chunk is of its own block, from the other group, complete,
 *            and sends one to s - 1, or, complete, to whose block it is
 *   then     it adds its own operand to what came from s + 1
 *   allreduce: blocks are even shares, and at last an allgather in each group
 *
 * Cost: no port sends or receives more than the n bytes of an operand, for any p, q and lengths;
 * allreduce (2 - 1 / max(p, q))n. As many messages as the allgather; a chunk is combined before the
 * next one comes. Scratch: n bytes. For large data and commutative operations. */
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"
#include "plan/intergroup/stripes.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

struct ring {
    struct caucus_builder *builder;
    const struct caucus_striped_list *list;
    struct caucus_place operand; /* byte 0 of the other group's result, of this rank */
    struct caucus_place sum;     /* of what came for it, and what was added */
    struct caucus_place result;  /* byte 0 of the own group's */
    int64_t begin, end; /* of the other group's result, what this rank is the first to send */
};

static struct ring ring_of(struct caucus_builder *builder, const struct caucus_stripes *stripes,
                           struct caucus_place operand, struct caucus_place result) {
    int32_t rank = builder->group.rank;
    int32_t index = stripes->nodes.map ? stripes->nodes.map->node_of_rank[rank] : rank;
    int group = index >= stripes->lanes[1].first;
    const struct caucus_lanes *own = &stripes->lanes[group], *other = &stripes->lanes[!group];
    int32_t position = own->position[index - own->first];
    return (struct ring){
        .builder = builder,
        .operand = operand,
        .sum = own->ranks > 1 ? caucus_reserve_scratch(builder, other->sum[other->ranks]) : operand,
        .result = caucus_at(result, -caucus_stripes_own_begin(stripes, rank)),
        .begin = caucus_lane_data(other, own->start[position]),
        .end = caucus_lane_data(other, own->start[position + 1]),
    };
}

/* What was received in the allgather is sent, and the other way round. */
static void emit_message(const struct ring *ring, const struct caucus_striped *message) {
    int64_t length = message->end - message->begin;
    bool first = message->begin >= ring->begin && message->begin < ring->end;
    if (message->token)
        return;
    if (!message->sends)
        caucus_emit_send(ring->builder, message->peer,
                         caucus_at(first ? ring->operand : ring->sum, message->begin), length);
    else
        caucus_emit_receive(ring->builder, message->peer,
                            caucus_at(message->crosses ? ring->result : ring->sum, message->begin),
                            length);
}

/* Messages before end that are in the last slot, backwards; returns where they begin. */
static int64_t emit_slot(const struct ring *ring, int64_t end) {
    const struct caucus_striped *message = ring->list->message;
    int64_t begin = end;
    while (begin > 0 && message[begin - 1].slot == message[end - 1].slot)
        emit_message(ring, &message[--begin]);
    caucus_end_step(ring->builder);
    for (int64_t i = end; i > begin; i--) {
        const struct caucus_striped *one = &message[i - 1];
        if (one->sends && !one->crosses && !one->token)
            caucus_emit_reduce(ring->builder, caucus_at(ring->operand, one->begin),
                               caucus_at(ring->sum, one->begin), one->end - one->begin);
    }
    caucus_end_step(ring->builder);
    return begin;
}

void caucus_stripes_emit_reduce(struct caucus_builder *builder,
                                const struct caucus_stripes *stripes, struct caucus_place operand,
                                struct caucus_place result) {
    struct caucus_striped_list list;
    int status = caucus_stripes_messages(stripes, builder->group.rank, &list);
    if (status) {
        caucus_builder_fail(builder, status, "no memory for the messages of a striped ring");
        return;
    }
    if (stripes->length > 0) {
        struct ring ring = ring_of(builder, stripes, operand, result);
        ring.list = &list;
        for (int64_t end = list.count; end > 0;)
            end = emit_slot(&ring, end);
    }
    free(list.message);
}

static void reduce_scatter(struct caucus_builder *builder, const struct caucus_task *task,
                           struct caucus_place result) {
    struct caucus_stripes stripes;
    int status = caucus_stripes_init(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment);
    if (status) {
        caucus_builder_fail(builder, status, "no stripes between these groups");
        return;
    }
    caucus_stripes_emit_reduce(builder, &stripes, in, result);
    caucus_stripes_free(&stripes);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    reduce_scatter(builder, task, out);
}

static void emit_all(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task);
    struct caucus_cuts cuts = {task->bytes, task->element, own.ranks, NULL};
    struct caucus_even_shares shares;
    if (!caucus_even_shares_init(&shares, task, task->bytes)) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the shares of %d ranks",
                            (int)task->ranks);
        return;
    }
    reduce_scatter(builder, &shares.task,
                   caucus_at(out, caucus_cut(&cuts, task->rank - own.first)));
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_circulant_allgather(builder, 0, out, &cuts);
    caucus_enter_group(builder, before);
    free(shares.length);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_stripes stripes;
    if (caucus_stripes_init(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment))
        return INFINITY;
    double seconds = caucus_stripes_cost(&stripes, task, model);
    caucus_stripes_free(&stripes);
    return seconds;
}

static double cost_all(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_even_shares shares;
    if (!caucus_even_shares_init(&shares, task, task->volume))
        return INFINITY;
    double seconds = cost(&shares.task, model), most = 0;
    const int32_t ranks[] = {task->first_group, task->ranks - task->first_group};
    for (int group = 0; group < 2; group++) {
        struct caucus_task part = caucus_intergroup_part(task, ranks[group], task->volume);
        double gather = caucus_circulant_cost(&part, model, false);
        most = gather > most ? gather : most;
    }
    free(shares.length);
    return seconds + most;
}

static const char summary[] =
    "each port passes the bytes of one operand, for any lengths, in chunks round a ring of each";

const struct caucus_algorithm caucus_intergroup_reduce_scatter_striped_ring = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COMMUTATIVE | CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_reduce_scatter_block_striped_ring = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_allreduce_striped_ring = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "striped_ring",
    .summary = "a reduce-scatter by the striped ring, then an allgather in each group",
    .needs = CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit_all,
    .cost = cost_all,
};
