/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives between two groups by a weighted, striped ring (worked out for this library; one ring
 * for each group, as in the third algorithm of Kang, Träff, Al-Bahrani, Agrawal, Choudhary and
 * Liao, "Scalable Algorithms for MPI Intergroup Allgather and Allgatherv", Parallel Computing 2019,
 * where each byte crosses once). See stripes.h for what crosses where and stripes.c for the slots.
 *
 *   allgather
 *     slot t   rank s of a ring gets a chunk of the other group's data from s - 1, or from the
 *              other group where this chunk crosses to it,
 *              and passes on one that came before, or, where s + 1 gets a chunk that crosses, sends
 *              one of its own block to the other group
 *   reduce-scatter: the same backwards
 *     slot t   rank s of a ring gets a chunk of the other group's result from s + 1, or, where this
 *              chunk is of its own block, from the other group, complete,
 *              and sends one to s - 1, or, complete, to whose block it is
 *     then     it adds its own operand to what came from s + 1
 *   allreduce  a reduce-scatter of even shares, and at last an allgather in each group
 *
 * By nodes, of one group each, nodes stand for ranks: the ranks of a node pass chunks on by turns,
 * so that several are on their way at a time. At last everybody copies all chunks out of node
 * memory; in a reduce-scatter the operands of all ranks are combined there first, each chunk by the
 * rank that passes it on. The allgather of an allreduce goes in lanes over the nodes then.
 *
 * Cost: no port, or card, sends or receives more than max(M_A, M_B) bytes, the least there can be,
 * or the n bytes of an operand (light nodes, stripes.h, a thousandth more), for any p, q and
 * lengths; allreduce (2 - 1 / max(p, q))n. M / chunk + fill messages, where fill is less than
 * 3 max(p, q); a chunk is combined before the next one comes. By nodes, two copies of every byte.
 * For large data and, if reduced, commutative operations. Scratch: none to gather, but by nodes
 * that are no blocks of ranks the other group's data; n bytes to reduce, by nodes 2n. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"
#include "plan/intergroup/stripes.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

enum lanes { EVEN, RANKS, NODES };

/* Memory of a node that is too small is found out by those who use it. */
static int init(struct caucus_stripes *stripes, const struct caucus_task *task, enum lanes lanes) {
    if (lanes == EVEN)
        return caucus_stripes_init_even(stripes, task);
    return (lanes == NODES ? caucus_stripes_init_nodes : caucus_stripes_init)(
        stripes, task, CAUCUS_STRIPES_LATENCY, task->segment);
}

/* The messages of this rank, to be freed; false where the builder has failed. */
static bool list_messages(struct caucus_builder *builder, const struct caucus_stripes *stripes,
                          struct caucus_striped_list *list) {
    int status = caucus_stripes_messages(stripes, builder->group.rank, list);
    if (status)
        caucus_builder_fail(builder, status, "no memory for the messages of a striped ring");
    return !status;
}

/* This rank's block is at in, and the other group's data goes to row, as much of it as this rank
 * gets in the ring. */
static void gather(struct caucus_builder *builder, const struct caucus_stripes *stripes,
                   struct caucus_place row) {
    struct caucus_striped_list list;
    int64_t tokens = 0;
    if (!list_messages(builder, stripes, &list))
        return;
    for (int64_t i = 0; i < list.count; i++)
        tokens += list.message[i].token;
    struct caucus_place data =
        caucus_at(in, -caucus_stripes_own_begin(stripes, builder->group.rank));
    struct caucus_place token =
        caucus_reserve_scratch(builder, tokens); /* what they say is nothing */
    for (int64_t i = 0; i < list.count; i++) {
        const struct caucus_striped *message = &list.message[i];
        struct caucus_place place =
            caucus_at(message->sends && message->crosses ? data : row, message->begin);
        if (message->token) {
            place = token;
            token.offset++;
        }
        if (i > 0 && message->slot != list.message[i - 1].slot)
            caucus_end_step(builder);
        if (message->sends)
            caucus_emit_send(builder, message->peer, place, message->end - message->begin);
        else
            caucus_emit_receive(builder, message->peer, place, message->end - message->begin);
    }
    caucus_end_step(builder);
    free(list.message);
}

struct ring {
    struct caucus_builder *builder;
    const struct caucus_striped *message;
    struct caucus_place operand; /* byte 0 of the other group's result, of this rank */
    struct caucus_place sum;     /* of what came for it, and what was added */
    struct caucus_place result;  /* byte 0 of the own group's */
    struct caucus_range
        first; /* of the other group's result, what this rank is the first to send */
};

/* What was received in the allgather is sent, and the other way round. */
static void reduce_message(const struct ring *ring, const struct caucus_striped *message) {
    int64_t length = message->end - message->begin;
    bool first = message->begin >= ring->first.begin && message->begin < ring->first.end;
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
static int64_t reduce_slot(const struct ring *ring, int64_t end) {
    const struct caucus_striped *message = ring->message;
    int64_t begin = end;
    while (begin > 0 && message[begin - 1].slot == message[end - 1].slot)
        reduce_message(ring, &message[--begin]);
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

/* operand has what the other group's result is made of, in the order of its data, as much as this
 * rank passes on; the own block of the own group's goes to result. */
static void reduce(struct caucus_builder *builder, const struct caucus_stripes *stripes,
                   struct caucus_place operand, struct caucus_place result) {
    int32_t rank = builder->group.rank;
    struct caucus_striped_list list;
    if (stripes->length == 0 || !list_messages(builder, stripes, &list))
        return;
    struct caucus_stripes_place place = caucus_stripes_place_of(stripes, rank);
    const struct caucus_lanes *own = place.own, *other = place.other;
    struct ring ring = {
        .builder = builder,
        .message = list.message,
        .operand = operand,
        .sum = own->ranks > 1 ? caucus_reserve_scratch(builder, other->sum[other->ranks]) : operand,
        .result = caucus_at(result, -caucus_stripes_own_begin(stripes, rank)),
        .first = {caucus_lane_data(other, own->start[place.position]),
                  caucus_lane_data(other, own->start[place.position + 1])},
    };
    for (int64_t end = list.count; end > 0;)
        end = reduce_slot(&ring, end);
    free(list.message);
}

/* By nodes: everybody copies all chunks, which are at row where a rank passed them on. */
static void hand_out(struct caucus_builder *builder, const struct caucus_task *task,
                     const struct caucus_stripes_parts *parts, struct caucus_place row) {
    struct caucus_node node = caucus_node_of(task);
    if (parts->count == 0)
        return;
    struct caucus_spread_block *block =
        caucus_builder_array(builder, parts->count, sizeof *block, "chunks of a node");
    for (int64_t i = 0; block && i < parts->count; i++)
        block[i] = (struct caucus_spread_block){
            .writer = parts->part[i].local,
            .reader = CAUCUS_EVERYBODY,
            .bytes = parts->part[i].bytes,
            .source = caucus_at(row, parts->part[i].data),
            .target = caucus_at(out, parts->part[i].place),
            .unit = parts->part[i].unit,
        };
    caucus_node_spread(builder, &node, parts->count, block);
}

/* By nodes: the chunks that this rank passes on, combined, go to sums. */
static void combine(struct caucus_builder *builder, const struct caucus_task *task,
                    const struct caucus_stripes_parts *parts, struct caucus_place sums) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_combine_block *block =
        caucus_builder_array(builder, parts->count, sizeof *block, "chunks of a node");
    struct caucus_combine all = {in, task->element, node.size, parts->count, block};
    for (int64_t i = 0; block && i < parts->count; i++)
        block[i] = (struct caucus_combine_block){
            .reader = parts->part[i].local,
            .offset = parts->part[i].place,
            .bytes = parts->part[i].bytes,
            .target = caucus_at(sums, parts->part[i].data),
            .unit = parts->part[i].unit,
        };
    caucus_node_combine(builder, &node, &all);
    caucus_end_step(builder);
}

static void emit_by_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                          const struct caucus_stripes *stripes, struct caucus_place result) {
    struct caucus_group_side other = caucus_other_side(task);
    struct caucus_stripes_parts parts = {0};
    int64_t *cut = caucus_side_cuts(builder, &other);
    if (cut && caucus_stripes_find_parts(stripes, task->rank, &other, cut, &parts))
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the chunks of a node");
    if (!builder->status) {
        struct caucus_place row = out;
        if (stripes->reduces || !parts.straight)
            row = caucus_reserve_scratch(builder, cut[other.ranks]);
        if (stripes->reduces) {
            combine(builder, task, &parts, row);
            reduce(builder, stripes, row, result);
        } else {
            gather(builder, stripes, row);
            hand_out(builder, task, &parts, row);
        }
    }
    free(parts.part);
    free(cut);
}

/* Whether node memory has room for what nodes do with so many bytes. */
static bool fits(const struct caucus_task *task, bool reduces, int64_t bytes) {
    return reduces ? caucus_node_can_combine(task->node_limit, task->nodes->largest, bytes,
                                             task->element)
                   : caucus_node_can_spread(task->node_limit);
}

/* An allgather, or a reduce-scatter whose result goes to result. */
static void emit(struct caucus_builder *builder, const struct caucus_task *task, enum lanes lanes,
                 struct caucus_place result) {
    struct caucus_stripes stripes = {0};
    int status = init(&stripes, task, lanes);
    if (status)
        caucus_builder_fail(builder, status, "%s", caucus_error_text());
    else if (lanes == NODES && !fits(task, stripes.reduces, stripes.length))
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "%lld bytes of node memory are too few",
                            (long long)task->node_limit);
    else if (lanes == NODES && stripes.length > 0)
        emit_by_nodes(builder, task, &stripes, result);
    else if (stripes.reduces)
        reduce(builder, &stripes, in, result);
    else
        gather(builder, &stripes, out);
    caucus_stripes_free(&stripes);
}

/* An allreduce of so many bytes as a reduce_scatter of even shares for both groups, lengths owned;
 * false where there is no memory. */
struct even_shares {
    struct caucus_task task;
    int64_t *length;
};

static bool even_shares_init(struct even_shares *shares, const struct caucus_task *task,
                             int64_t bytes) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    *shares = (struct even_shares){*task, caucus_array(task->ranks, sizeof *shares->length)};
    if (!shares->length)
        return false;
    for (int32_t rank = 0; rank < task->ranks; rank++) {
        bool ours = rank >= own.first && rank < own.first + own.ranks;
        struct caucus_group_side side = ours ? own : other;
        int32_t i = rank - side.first;
        shares->length[rank] = caucus_vector_cut(bytes, task->element, side.ranks, i + 1) -
                               caucus_vector_cut(bytes, task->element, side.ranks, i);
    }
    shares->task.collective = CAUCUS_REDUCE_SCATTER;
    shares->task.receive_bytes = shares->length + own.first;
    shares->task.send_bytes = shares->length + other.first;
    return true;
}

/* The allgather of even shares in this rank's group, whose own one is in its place. */
static void gather_shares(struct caucus_builder *builder, const struct caucus_task *task,
                          const struct caucus_task *shares) {
    struct caucus_group_side own = caucus_own_side(task);
    struct caucus_node_map map;
    int status = caucus_node_map_part(&map, task->nodes, own.first, own.ranks);
    struct caucus_task part =
        caucus_intergroup_node_part(task, &own, CAUCUS_ALLGATHERV, &map, task->bytes);
    part.receive_bytes = shares->receive_bytes;
    part.bytes = part.receive_bytes[part.rank];
    part.in_place = true;
    if (status)
        caucus_builder_fail(builder, status, "no memory for the nodes of a group");
    else
        caucus_allgather_over_nodes(builder, &part, out, map.smallest, true);
    caucus_node_map_free(&map);
}

static void emit_all(struct caucus_builder *builder, const struct caucus_task *task,
                     enum lanes lanes) {
    struct caucus_group_side own = caucus_own_side(task);
    struct caucus_cuts cuts = {task->bytes, task->element, own.ranks, NULL};
    struct even_shares shares;
    if (!even_shares_init(&shares, task, task->bytes)) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the shares of %d ranks",
                            (int)task->ranks);
        return;
    }
    if (lanes == NODES)
        shares.task.node_limit = task->node_limit / 2;
    emit(builder, &shares.task, lanes, caucus_at(out, caucus_cut(&cuts, task->rank - own.first)));
    caucus_end_step(builder);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    if (builder->status == CAUCUS_OK && lanes == NODES)
        gather_shares(builder, task, &shares.task);
    else if (builder->status == CAUCUS_OK)
        caucus_allgather_by_circulant(builder, 0, out, &cuts);
    caucus_enter_group(builder, before);
    free(shares.length);
}

static void emit_any(struct caucus_builder *builder, const struct caucus_task *task,
                     enum lanes lanes) {
    if (task->collective == CAUCUS_ALLREDUCE)
        emit_all(builder, task, lanes);
    else
        emit(builder, task, lanes, out);
}

/* How many ranks of the largest node pass chunks on. */
static double carriers(const struct caucus_task *task, const struct caucus_stripes *stripes) {
    double ranks = task->nodes->largest;
    return stripes->length ? fmin(ranks, ceil((double)stripes->length / (double)stripes->piece))
                           : ranks;
}

static double cost_of(const struct caucus_task *task, const struct caucus_model *model,
                      enum lanes lanes) {
    struct caucus_stripes stripes;
    if (init(&stripes, task, lanes))
        return INFINITY;
    double seconds = lanes == NODES ? caucus_stripes_node_cost(&stripes, task, model)
                                    : caucus_stripes_cost(&stripes, task, model);
    double bytes = (double)stripes.length;
    double ranks = lanes == NODES ? carriers(task, &stripes) : 1;
    if (lanes == NODES && !fits(task, stripes.reduces, stripes.length)) {
        seconds = INFINITY;
    } else if (lanes == NODES && stripes.reduces) {
        seconds += caucus_node_reduce_scatter_cost(task, model, bytes, ranks);
    } else if (lanes == NODES && bytes > 0) {
        seconds += caucus_node_allgather_cost(task, model, bytes, ranks);
        if (ranks > 1) /* what a rank got itself is in its place */
            seconds -= bytes / ranks * model->copy_byte;
    }
    caucus_stripes_free(&stripes);
    return seconds;
}

/* Of gathering the shares in a group. */
static double gather_cost(const struct caucus_task *task, const struct caucus_model *model,
                          const struct caucus_group_side *side, enum lanes lanes) {
    struct caucus_node_map map;
    struct caucus_task part = caucus_intergroup_side_part(task, side, task->volume, &map);
    if (lanes == RANKS)
        return caucus_circulant_cost(&part, model, false);
    if (!caucus_intergroup_nodes_apart(task) ||
        caucus_node_map_part(&map, task->nodes, side->first, side->ranks))
        return INFINITY;
    part = caucus_intergroup_node_part(task, side, CAUCUS_ALLGATHERV, &map, task->volume);
    double seconds = caucus_allgather_lanes_cost(&part, model);
    caucus_node_map_free(&map);
    return seconds;
}

static double cost_all(const struct caucus_task *task, const struct caucus_model *model,
                       enum lanes lanes) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct even_shares shares;
    if (!even_shares_init(&shares, task, task->volume))
        return INFINITY;
    if (lanes == NODES)
        shares.task.node_limit = task->node_limit / 2;
    double seconds =
        cost_of(&shares.task, model, lanes) +
        fmax(gather_cost(task, model, &own, lanes), gather_cost(task, model, &other, lanes));
    free(shares.length);
    return seconds;
}

static double cost_any(const struct caucus_task *task, const struct caucus_model *model,
                       enum lanes lanes) {
    return task->collective == CAUCUS_ALLREDUCE ? cost_all(task, model, lanes)
                                                : cost_of(task, model, lanes);
}

CAUCUS_INTERGROUP_ONE_OF(ring, emit_any, cost_any, EVEN)
CAUCUS_INTERGROUP_ONE_OF(striped_ring, emit_any, cost_any, RANKS)
CAUCUS_INTERGROUP_ONE_OF(node_striped_ring, emit_any, cost_any, NODES)
