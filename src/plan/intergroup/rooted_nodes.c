/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast and reduction between two groups on nodes of their own: the root and the leaders of the
 * other group's nodes as among one group, and all others through node memory.
 *
 *   bcast    1   from the root to the leaders, along a postal tree or over the circulant graph
 *            2   on each node everybody copies what its leader got
 *   reduce   1   on each node all operands are combined for its leader
 *            2   from the leaders to the root, which only takes what comes: the broadcast backwards
 *
 * Cost: at most ⌈log2(nodes + 1)⌉ rounds of all data; or n - 1 + ⌈log2(nodes + 1)⌉ rounds of one
 * n-th, every byte into each card once. Once through node memory. Reductions: commutative
 * operations. Nodes have ranks of one group only. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* The root, and the lowest rank of each node of the group without it. */
struct leaders {
    int32_t *ranks; /* owned; NULL without memory */
    int32_t count;
};

static struct leaders leaders_of(const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    struct leaders leaders = {caucus_array((int64_t)map->nodes + 1, sizeof *leaders.ranks), 1};
    bool root_in_first = task->root < task->first_group;
    if (!leaders.ranks)
        return leaders;
    leaders.ranks[0] = task->root;
    for (int32_t node = 0; node < map->nodes; node++) {
        int32_t rank = caucus_rank_in_node(map, node, 0);
        if ((rank < task->first_group) != root_in_first)
            leaders.ranks[leaders.count++] = rank;
    }
    return leaders;
}

/* Whether this rank is among them; the builder's group is theirs then. */
static bool enter(struct caucus_builder *builder, const struct leaders *leaders) {
    for (int32_t i = 0; i < leaders->count; i++)
        if (leaders->ranks[i] == builder->group.rank) {
            caucus_enter_group(
                builder,
                (struct caucus_group){.size = leaders->count, .rank = i, .ranks = leaders->ranks});
            return true;
        }
    return false;
}

static void to_leaders(struct caucus_builder *builder, const struct caucus_task *task,
                       bool circulant) {
    if (circulant)
        caucus_bcast_by_circulant(builder, 0, caucus_vector_out, task->bytes, task->segment);
    else
        caucus_bcast_by_postal(builder, 0, caucus_vector_out, task->bytes);
}

/* Along the tree, the first leader gets the result and sends it to the root. */
static void tree_to_root(struct caucus_builder *builder, const struct caucus_task *task,
                         struct caucus_place sum) {
    struct caucus_group all = builder->group, leaders = all;
    leaders.size--;
    leaders.rank--;
    leaders.ranks++;
    if (all.rank > 0) {
        caucus_enter_group(builder, leaders);
        caucus_reduce_by_postal(builder, 0, sum, sum, task->bytes, true);
        caucus_enter_group(builder, all);
    }
    if (all.rank == 0)
        caucus_emit_receive(builder, 1, caucus_vector_out, task->bytes);
    if (all.rank == 1)
        caucus_emit_send(builder, 0, sum, task->bytes);
    caucus_end_step(builder);
}

/* What was combined on the nodes is at sum. */
static void to_root(struct caucus_builder *builder, const struct caucus_task *task,
                    struct caucus_place sum, bool circulant) {
    if (circulant)
        caucus_reduce_by_circulant_to(builder, 0, sum, caucus_vector_out, task->bytes,
                                      task->element, task->segment);
    else
        tree_to_root(builder, task, sum);
}

static void pass(struct caucus_builder *builder, const struct caucus_task *task,
                 struct caucus_place sum, bool circulant) {
    struct caucus_group before = builder->group;
    struct leaders leaders = leaders_of(task);
    if (!leaders.ranks) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the leaders of nodes");
    } else if (enter(builder, &leaders)) {
        if (task->collective == CAUCUS_BCAST)
            to_leaders(builder, task, circulant);
        else
            to_root(builder, task, sum, circulant);
        caucus_enter_group(builder, before);
    }
    caucus_end_step(builder);
    free(leaders.ranks);
}

static bool takes_part(struct caucus_builder *builder, const struct caucus_task *task) {
    if (caucus_intergroup_nodes_apart(task))
        return task->root != CAUCUS_ROOT_ELSEWHERE;
    caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "a node has ranks of both groups");
    return false;
}

static void bcast(struct caucus_builder *builder, const struct caucus_task *task, bool circulant) {
    if (!takes_part(builder, task))
        return;
    struct caucus_node node = caucus_node_of(task);
    pass(builder, task, caucus_vector_out, circulant);
    if (task->rank != task->root)
        caucus_node_bcast(builder, &node, 0, caucus_vector_out, task->bytes);
    caucus_end_step(builder);
}

static void reduce(struct caucus_builder *builder, const struct caucus_task *task, bool circulant) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, sum = {CAUCUS_BUFFER_SCRATCH, 0};
    if (!takes_part(builder, task))
        return;
    struct caucus_node node = caucus_node_of(task);
    if (task->rank != task->root) {
        if (node.local == 0)
            sum = caucus_reserve_scratch(builder, task->bytes);
        caucus_node_reduce(builder, &node, 0, in, sum, task->bytes, task->element);
        caucus_end_step(builder);
    }
    pass(builder, task, sum, circulant);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task, bool circulant) {
    if (task->collective == CAUCUS_BCAST)
        bcast(builder, task, circulant);
    else
        reduce(builder, task, circulant);
}

/* A task of root and leaders, who have their cards for themselves; no ranks where nodes are not
 * apart. */
static struct caucus_task part_of(const struct caucus_task *task) {
    struct leaders leaders = leaders_of(task);
    bool serves = leaders.ranks && caucus_intergroup_nodes_apart(task);
    struct caucus_task part = caucus_intergroup_part(task, leaders.count, task->volume);
    part.nodes = NULL;
    if (!serves)
        part.ranks = 0;
    free(leaders.ranks);
    return part;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model,
                   bool circulant) {
    struct caucus_task part = part_of(task);
    double bytes = (double)task->volume;
    if (!part.ranks)
        return INFINITY;
    if (task->collective == CAUCUS_BCAST)
        return (circulant ? caucus_bcast_circulant_cost(&part, model)
                          : caucus_postal_cost(model, part.ranks, 1, bytes, false)) +
               caucus_node_bcast_cost(task, model, bytes);
    double passing = circulant ? caucus_reduce_circulant_cost(&part, model)
                               : caucus_postal_cost(model, part.ranks - 1, 1, bytes, true) +
                                     caucus_cost_between(model, bytes, 1);
    return passing + caucus_node_reduce_cost(task, model, bytes);
}

CAUCUS_INTERGROUP_ONE_OF(rooted_node_aware, emit, cost, false)
CAUCUS_INTERGROUP_ONE_OF(rooted_node_circulant, emit, cost, true)
