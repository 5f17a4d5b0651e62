/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives with a root between two groups: the root and the other group take part, a group of
 * their own, in which the root is rank 0, so that what serves one group serves here. A root gives
 * and gets no block of its own, and in a reduction it has no operand.
 *
 *   bcast              as among one group
 *   gather, scatter    likewise: direct is what is called linear there
 *   reduce
 *     postal             along a tree to the lowest rank of the other group, which sends it on
 *     recursive_halving  a reduce-scatter in the other group, whose ranks send their shares
 *     circulant          as among one group, but that the root only takes what comes; for
 *                        commutative operations
 *
 * Cost: as there; of a reduction about ⌈log2 q⌉ + 1 rounds of all data; ⌈log2 q⌉ + 1 rounds and 2n
 * bytes; n - 1 + ⌈log2(q + 1)⌉ rounds of one n-th. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

/* The group without the root, and its blocks as far as this rank knows them. */
static struct caucus_group_side without_root(const struct caucus_task *task) {
    bool root_in_second = task->root >= task->first_group;
    struct caucus_group_side side = {task->first_group, task->ranks - task->first_group,
                                     task->bytes,
                                     task->send_bytes ? task->send_bytes : task->receive_bytes};
    if (root_in_second) {
        side.first = 0;
        side.ranks = task->first_group;
    }
    return side;
}

static bool has_blocks(const struct caucus_task *task) {
    return task->collective != CAUCUS_BCAST && task->collective != CAUCUS_REDUCE;
}

/* The task as the group of the root and the others sees it, which lengths hold a block for each of,
 * if there are any. */
static struct caucus_task as_one_group(const struct caucus_task *task, int32_t rank,
                                       const int64_t *lengths) {
    struct caucus_task one = *task;
    one.ranks = without_root(task).ranks + 1;
    one.rank = rank;
    one.first_group = one.root = 0;
    one.send_bytes = one.receive_bytes = lengths;
    if (lengths)
        one.bytes = lengths[rank];
    return one;
}

/* By an algorithm of one group; nothing where this rank takes no part. */
static void emit_as(struct caucus_builder *builder, const struct caucus_task *task,
                    void (*emit)(struct caucus_builder *, const struct caucus_task *)) {
    struct caucus_group_side side = without_root(task);
    if (task->root == CAUCUS_ROOT_ELSEWHERE)
        return;
    int32_t *ranks = caucus_array((int64_t)side.ranks + 1, sizeof *ranks);
    int64_t *lengths = caucus_array((int64_t)side.ranks + 1, sizeof *lengths);
    if (!ranks || !lengths) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for a group of %d ranks",
                            (int)side.ranks + 1);
    } else {
        struct caucus_group group = {.size = side.ranks + 1, .ranks = ranks};
        ranks[0] = task->root;
        for (int32_t i = 0; i < side.ranks; i++) {
            ranks[i + 1] = side.first + i;
            lengths[i + 1] = caucus_group_block(&side, i);
        }
        if (task->rank != task->root)
            group.rank = task->rank - side.first + 1;
        struct caucus_task one = as_one_group(task, group.rank, has_blocks(task) ? lengths : NULL);
        struct caucus_group before = caucus_enter_group(builder, group);
        emit(builder, &one);
        caucus_enter_group(builder, before);
    }
    free(ranks);
    free(lengths);
}

/* Of one group: what this is like. */
struct like {
    caucus_algorithm_emit *emit;
    caucus_algorithm_cost *cost;
};

#define LIKE(name) &(const struct like){caucus_##name, caucus_##name##_cost}

static void emit_like(struct caucus_builder *builder, const struct caucus_task *task,
                      const struct like *algorithm) {
    emit_as(builder, task, algorithm->emit);
}

/* As cost formulas see it: also its nodes, as far as these need them. */
static struct caucus_task priced(const struct caucus_task *task, struct caucus_node_map *nodes) {
    struct caucus_group_side side = without_root(task);
    struct caucus_task one = as_one_group(task, 0, NULL);
    one.nodes = caucus_intergroup_side_part(task, &side, 0, nodes).nodes;
    if (one.nodes && caucus_intergroup_nodes_apart(task))
        nodes->nodes++;
    else if (one.nodes)
        nodes->largest++;
    if (has_blocks(task) && task->volume < INT64_MAX / 2) /* it is that of the others' blocks */
        one.volume += task->volume / side.ranks;
    return one;
}

static double cost_like(const struct caucus_task *task, const struct caucus_model *model,
                        const struct like *algorithm) {
    struct caucus_node_map nodes;
    struct caucus_task one = priced(task, &nodes);
    return algorithm->cost(&one, model);
}

/* Where nodes are apart, the root has its card for itself, and all others are further away. */
static double direct_cost(const struct caucus_task *task, const struct caucus_model *model,
                          const struct like *algorithm) {
    struct caucus_node_map nodes;
    struct caucus_task one = priced(task, &nodes);
    if (one.nodes && caucus_intergroup_nodes_apart(task))
        one.nodes = NULL;
    return algorithm->cost(&one, model);
}

CAUCUS_INTERGROUP_ONE_OF(bcast_postal, emit_like, cost_like, LIKE(bcast_postal))
CAUCUS_INTERGROUP_ONE_OF(bcast_binomial, emit_like, cost_like, LIKE(bcast_binomial))
CAUCUS_INTERGROUP_ONE_OF(bcast_scatter_allgather, emit_like, cost_like,
                         LIKE(bcast_scatter_allgather))
CAUCUS_INTERGROUP_ONE_OF(bcast_circulant, emit_like, cost_like, LIKE(bcast_circulant))
CAUCUS_INTERGROUP_ONE_OF(rooted_direct, emit_like, direct_cost, LIKE(rooted_linear))
CAUCUS_INTERGROUP_ONE_OF(rooted_binomial, emit_like, cost_like, LIKE(rooted_binomial))

void caucus_intergroup_reduce_postal(struct caucus_builder *builder,
                                     const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    if (task->rank == task->root) {
        caucus_emit_receive(builder, other.first, out, task->bytes);
    } else if (task->root != CAUCUS_ROOT_ELSEWHERE) {
        struct caucus_place sum = caucus_intergroup_reduce_to_lowest(builder, task);
        if (task->rank == own.first)
            caucus_emit_send(builder, task->root, sum, task->bytes);
    }
    caucus_end_step(builder);
}

static void send_share(struct caucus_builder *builder, const struct caucus_task *task,
                       const struct caucus_cuts *cuts) {
    int32_t index = task->rank - caucus_own_side(task).first;
    int64_t length = caucus_cut(cuts, index + 1) - caucus_cut(cuts, index);
    struct caucus_place share = caucus_reserve_scratch(builder, length);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_reduce_scatter_by_recursive_halving(builder, in, share, cuts);
    caucus_enter_group(builder, before);
    caucus_emit_send(builder, task->root, share, length);
}

void caucus_intergroup_reduce_recursive_halving(struct caucus_builder *builder,
                                                const struct caucus_task *task) {
    struct caucus_group_side side = without_root(task);
    bool root = task->rank == task->root;
    if (task->root == CAUCUS_ROOT_ELSEWHERE)
        return;
    struct caucus_cuts cuts = {task->bytes, task->element, side.ranks, NULL};
    if (!root)
        send_share(builder, task, &cuts);
    for (int32_t i = 0; root && i < side.ranks; i++) {
        int64_t begin = caucus_cut(&cuts, i), end = caucus_cut(&cuts, i + 1);
        caucus_emit_receive(builder, side.first + i, caucus_at(out, begin), end - begin);
    }
    caucus_end_step(builder);
}

static void reduce_by_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_by_circulant_to(builder, 0, in, out, task->bytes, task->element, task->segment);
}

void caucus_intergroup_reduce_circulant(struct caucus_builder *builder,
                                        const struct caucus_task *task) {
    emit_as(builder, task, reduce_by_circulant);
}

static struct caucus_task part_of(const struct caucus_task *task, struct caucus_node_map *nodes) {
    struct caucus_group_side side = without_root(task);
    return caucus_intergroup_side_part(task, &side, task->volume, nodes);
}

double caucus_intergroup_reduce_postal_cost(const struct caucus_task *task,
                                            const struct caucus_model *model) {
    struct caucus_node_map nodes;
    struct caucus_task part = part_of(task, &nodes);
    return caucus_reduce_postal_cost(&part, model) +
           caucus_cost_between(model, (double)task->volume, 1);
}

/* The root has its card for itself. */
double caucus_intergroup_reduce_recursive_halving_cost(const struct caucus_task *task,
                                                       const struct caucus_model *model) {
    struct caucus_node_map nodes;
    struct caucus_task part = part_of(task, &nodes);
    struct caucus_task alone = *task;
    double bytes = (double)task->volume;
    alone.nodes = NULL;
    return caucus_halving_cost(&part, model, true) + 2 * caucus_cost_copy(model, bytes) +
           part.ranks * caucus_cost_copy(model, 0) +
           caucus_cost_burst(&alone, model, part.ranks, part.ranks, bytes / part.ranks);
}

/* The root has nothing to add in what would be its last round. */
double caucus_intergroup_reduce_circulant_cost(const struct caucus_task *task,
                                               const struct caucus_model *model) {
    struct caucus_node_map nodes;
    struct caucus_task part = part_of(task, &nodes);
    return caucus_reduce_circulant_cost(&part, model) +
           (part.ranks == 1 ? caucus_cost_between(model, (double)task->volume, 1) : 0);
}
