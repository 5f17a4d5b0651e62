/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entries of table.c emit and cost, as algorithm.h says: for each x of the list,
 * caucus_intergroup_x and caucus_intergroup_x_cost. */
#ifndef CAUCUS_PLAN_INTERGROUP_ALGORITHMS_H
#define CAUCUS_PLAN_INTERGROUP_ALGORITHMS_H

#include "plan/intergroup/intergroup.h"

#define CAUCUS_INTERGROUP_PAIR(name)                                                               \
    caucus_algorithm_emit caucus_intergroup_##name;                                                \
    caucus_algorithm_cost caucus_intergroup_##name##_cost

/* direct.c */
CAUCUS_INTERGROUP_PAIR(barrier_direct);
CAUCUS_INTERGROUP_PAIR(bcast_direct);

/* direct_reduce.c: all reductions */
CAUCUS_INTERGROUP_PAIR(reduce_direct);

/* rooted.c: rooted_direct and rooted_binomial are of gather(v) and scatter(v) */
CAUCUS_INTERGROUP_PAIR(bcast_postal);
CAUCUS_INTERGROUP_PAIR(bcast_binomial);
CAUCUS_INTERGROUP_PAIR(bcast_scatter_allgather);
CAUCUS_INTERGROUP_PAIR(bcast_circulant);
CAUCUS_INTERGROUP_PAIR(rooted_direct);
CAUCUS_INTERGROUP_PAIR(rooted_binomial);
CAUCUS_INTERGROUP_PAIR(reduce_postal);
CAUCUS_INTERGROUP_PAIR(reduce_recursive_halving);
CAUCUS_INTERGROUP_PAIR(reduce_circulant);

/* rooted_nodes.c: bcast and reduce */
CAUCUS_INTERGROUP_PAIR(rooted_node_aware);
CAUCUS_INTERGROUP_PAIR(rooted_node_circulant);

/* leaders.c: node_leaders is of allgather(v) and allreduce */
CAUCUS_INTERGROUP_PAIR(node_leaders);
CAUCUS_INTERGROUP_PAIR(allreduce_leaders);

/* allreduce_partners.c */
CAUCUS_INTERGROUP_PAIR(allreduce_partners);

/* even_crossing.c: crossing, and striped_ring.c: the striped rings, are of allgather(v),
 * reduce_scatter(_block) and allreduce; ring, whose stripes are cut at no elements, of allgather(v)
 * alone */
CAUCUS_INTERGROUP_PAIR(crossing);
CAUCUS_INTERGROUP_PAIR(ring);
CAUCUS_INTERGROUP_PAIR(striped_ring);
CAUCUS_INTERGROUP_PAIR(node_striped_ring);

/* allgather_*.c, alltoall.c: of the v and w forms too; direct is also of allgather(v) */
CAUCUS_INTERGROUP_PAIR(allgather_node_aware);
CAUCUS_INTERGROUP_PAIR(allgather_lanes);
CAUCUS_INTERGROUP_PAIR(allgather_dissemination);
CAUCUS_INTERGROUP_PAIR(alltoall_direct);
CAUCUS_INTERGROUP_PAIR(alltoall_pairwise);

/* Defines a pair that is one of several alike: by functions of one argument more. */
#define CAUCUS_INTERGROUP_ONE_OF(name, emits, costs, which)                                        \
    void caucus_intergroup_##name(struct caucus_builder *builder,                                  \
                                  const struct caucus_task *task) {                                \
        emits(builder, task, which);                                                               \
    }                                                                                              \
    double caucus_intergroup_##name##_cost(const struct caucus_task *task,                         \
                                           const struct caucus_model *model) {                     \
        return costs(task, model, which);                                                          \
    }

#endif
