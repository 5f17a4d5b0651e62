/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive and exclusive scan along the chain of ranks, in s segments, so that all ranks have
 * work.
 *
 *   scan     round t = 0, 1, …   rank r gets segment t - r + 1 of the result of r - 1, puts it
 *                                before its own operand, and meanwhile sends segment t - r on to
 *                                r + 1
 *   exscan   round t = 0, 1, …   rank r gets segment t - r + 1 of its result from r - 1; then it
 *                                puts it before its own operand, and sends segment t - r of that to
 *                                r + 1
 *
 * A commutative scan of at least 64 KiB for each rank combines a segment while the next one comes.
 * Cost: p - 2 + s rounds of one s-th, then 2 (p - 2) + s; every byte sent once. For large data; any
 * p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

#include <math.h>

enum { OVERLAP_BYTES = 64 << 10 };

struct chain {
    struct caucus_builder *builder;
    struct caucus_place in, out;
    int64_t bytes, element, segments;
    /* A segment is combined while the next one comes: slower from rank to rank, but faster through
     * each, which pays where the vector is long and the chain short. */
    bool overlaps;
};

static struct chain chain_of(const struct caucus_task *task, int64_t bytes) {
    bool may_overlap = task->collective == CAUCUS_SCAN && task->commutative;
    struct chain chain = {.in = caucus_vector_in(task),
                          .out = caucus_vector_out,
                          .bytes = bytes,
                          .element = task->element,
                          .overlaps = may_overlap && bytes / task->ranks >= OVERLAP_BYTES};
    int32_t depth = task->ranks > 1 ? task->ranks - 1 : 0;
    if (chain.overlaps && depth <= INT32_MAX / 2)
        depth *= 2;
    chain.segments = caucus_vector_segments(bytes, task->element, task->segment, depth);
    return chain;
}

static struct caucus_place place(const struct chain *chain, struct caucus_place base, int64_t i) {
    return caucus_at(base, caucus_vector_cut(chain->bytes, chain->element, chain->segments, i));
}

/* 0 before the first and after the last. */
static int64_t length(const struct chain *chain, int64_t i) {
    return i < 0 || i >= chain->segments
               ? 0
               : place(chain, chain->in, i + 1).offset - place(chain, chain->in, i).offset;
}

/* Cuts are rounded down, so the last segment is as long as any. */
static struct caucus_place reserve_segment(const struct chain *chain) {
    return caucus_reserve_scratch(chain->builder, length(chain, chain->segments - 1));
}

static void send(const struct chain *chain, struct caucus_place source, int64_t i) {
    int32_t next = chain->builder->group.rank + 1;
    if (next < chain->builder->group.size)
        caucus_emit_send(chain->builder, next, source, length(chain, i));
}

static void receive(const struct chain *chain, struct caucus_place target, int64_t i) {
    caucus_emit_receive(chain->builder, chain->builder->group.rank - 1, target, length(chain, i));
}

static void emit_first(const struct chain *chain, bool inclusive) {
    for (int64_t i = 0; i < chain->segments; i++) {
        struct caucus_place operand = place(chain, chain->in, i);
        send(chain, operand, i);
        if (inclusive)
            caucus_emit_copy(chain->builder, operand, place(chain, chain->out, i),
                             length(chain, i));
        caucus_end_step(chain->builder);
    }
}

/* A commutative operation lets the operand be put before what has come to out, without a copy. */
struct coming {
    struct caucus_place to[2];
    bool to_out;
};

static void combine(const struct chain *chain, const struct coming *coming, int64_t i) {
    caucus_emit_reduce(chain->builder,
                       coming->to_out ? place(chain, chain->in, i) : coming->to[i & 1],
                       place(chain, chain->out, i), length(chain, i));
}

static void emit_scan(const struct chain *chain, const struct coming *coming) {
    int64_t lag = chain->overlaps ? 2 : 1;
    for (int64_t i = 0; i < chain->segments + lag; i++) {
        struct caucus_place result = place(chain, chain->out, i);
        receive(chain, coming->to_out ? result : coming->to[i & 1], i);
        send(chain, place(chain, chain->out, i - lag), i - lag);
        if (!coming->to_out)
            caucus_emit_copy(chain->builder, place(chain, chain->in, i), result, length(chain, i));
        if (chain->overlaps)
            combine(chain, coming, i - 1);
        caucus_end_step(chain->builder);
        if (!chain->overlaps)
            combine(chain, coming, i);
        caucus_end_step(chain->builder);
    }
}

void caucus_scan_chain(struct caucus_builder *builder, const struct caucus_task *task) {
    struct chain chain = chain_of(task, task->bytes);
    struct coming coming = {.to_out = task->commutative && !caucus_same_place(chain.in, chain.out)};
    chain.builder = builder;
    if (builder->group.rank == 0) {
        emit_first(&chain, true);
        return;
    }
    for (int i = 0; i < 2 && !coming.to_out; i++)
        coming.to[i] = reserve_segment(&chain);
    emit_scan(&chain, &coming);
}

/* Of segments that are copied, are combined and are sent. */
enum { SUMS = 3 };

/* The operand of a segment is copied before the result takes its place, and while another segment
 * comes. */
static void emit_inner(const struct chain *chain) {
    struct caucus_place sums[SUMS];
    for (int i = 0; i < SUMS; i++)
        sums[i] = reserve_segment(chain);
    caucus_emit_copy(chain->builder, chain->in, sums[0], length(chain, 0));
    caucus_end_step(chain->builder);
    for (int64_t i = 0; i <= chain->segments; i++) {
        struct caucus_place result = place(chain, chain->out, i);
        receive(chain, result, i);
        send(chain, sums[(i + SUMS - 1) % SUMS], i - 1);
        caucus_emit_copy(chain->builder, place(chain, chain->in, i + 1), sums[(i + 1) % SUMS],
                         length(chain, i + 1));
        caucus_end_step(chain->builder);
        caucus_emit_reduce(chain->builder, result, sums[i % SUMS], length(chain, i));
        caucus_end_step(chain->builder);
    }
}

void caucus_exscan_chain(struct caucus_builder *builder, const struct caucus_task *task) {
    struct chain chain = chain_of(task, task->bytes);
    int32_t size = builder->group.size, rank = builder->group.rank;
    chain.builder = builder;
    if (rank == 0)
        emit_first(&chain, false);
    else if (rank < size - 1)
        emit_inner(&chain);
    for (int64_t i = 0; rank > 0 && rank == size - 1 && i < chain.segments; i++) {
        receive(&chain, place(&chain, chain.out, i), i);
        caucus_end_step(builder);
    }
}

/* How many ranks send to another node. */
static double borders(const struct caucus_task *task) {
    const struct caucus_node_map *nodes = task->nodes;
    double count = 0;
    if (!nodes)
        return task->ranks - 1;
    if (nodes->ordered)
        return nodes->nodes - 1;
    for (int32_t rank = 1; rank < nodes->ranks; rank++)
        count += caucus_node_of_rank(nodes, rank - 1) != caucus_node_of_rank(nodes, rank);
    return count;
}

/* From one segment to the next, where all ranks are at work: what the slowest port takes, or the
 * card that ranks share whose neighbours are elsewhere; out of ranks send there. */
static double period(const struct caucus_task *task, const struct caucus_model *model, double bytes,
                     double out) {
    const struct caucus_node_map *nodes = task->nodes;
    bool blocks = nodes && nodes->ordered && nodes->smallest > 1;
    double byte = out < task->ranks - 1 ? model->byte[CAUCUS_WITHIN_NODE] : 0;
    double sharing = nodes && !nodes->ordered ? nodes->largest : 1;
    if (out > 0)
        byte = fmax(byte, fmax(model->byte[CAUCUS_BETWEEN_NODES], sharing * model->card_byte));
    return 2 * model->operation +
           model->overhead[out > 0 ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE] +
           model->overhead[out > 0 && !blocks ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE] +
           bytes * byte;
}

/* Of both: the way of the first segment, and then all others. */
double caucus_scan_chain_cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct chain chain = chain_of(task, task->volume);
    if (task->ranks < 2)
        return caucus_cost_copy(model, (double)task->volume);
    double bytes = (double)task->volume / (double)chain.segments;
    double out = borders(task), within = task->ranks - 1 - out;
    double reduce = caucus_cost_reduce(model, bytes);
    double port = period(task, model, bytes, out);
    double next = chain.overlaps ? fmax(port, reduce) : port + reduce;
    double later = chain.overlaps ? (task->ranks - 2) * next / 2 : 0;
    return out * (caucus_cost_between(model, bytes, 1) + reduce) +
           within * (caucus_cost_within(model, bytes) + reduce) +
           (double)(chain.segments - 1) * next + later;
}
