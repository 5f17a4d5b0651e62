/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs whose roles are the ranks of an attachment, each rank with the edges of its own role; and
 * how they are carried: to the ranks whose edges they are, to rank 0, to those who take roles. */
#ifndef CAUCUS_RUN_GRAPH_ROLE_EDGES_H
#define CAUCUS_RUN_GRAPH_ROLE_EDGES_H

#include "run/attachment/attach.h"

#include <stdint.h>

/* The edges of one role, as MPI_Dist_graph_create_adjacent takes them; all owned. */
struct caucus_role_edges {
    bool weighted; /* on all ranks alike; otherwise there are weights of 1 that MPI is not told */
    int indegree, outdegree;
    int *sources, *source_weights;
    int *destinations, *destination_weights;
};

/* Room for so many. */
int caucus_role_edges_init(struct caucus_role_edges *neighbors, int indegree, int outdegree,
                           bool weighted);
void caucus_role_edges_free(struct caucus_role_edges *neighbors);

/* Edges between any ranks. */
struct caucus_edge_list {
    int count;
    const int *from, *to, *weight; /* weight: NULL where all are 1 */
};

/* Brings every edge to both of its ends, in the order of the ranks that name them and, of each, as
 * it names them. Collective; all ranks get the same status. O(ranks) memory. */
int caucus_role_edges_assemble(const struct caucus_attachment *attachment,
                               const struct caucus_edge_list *edges, bool weighted,
                               struct caucus_role_edges *neighbors);

/* Hands this rank's edges to the rank that takes its role, and replaces them by those of the role
 * that this rank takes. ordered has all ranks of the attachment, each with its role as its rank,
 * and no other messages; giver is the rank there of the rank whose edges this one takes.
 * Collective; all ranks get the same status. */
int caucus_role_edges_hand_over(const struct caucus_attachment *attachment, MPI_Comm ordered,
                                int giver, struct caucus_role_edges *neighbors);

/* The edges that leave all roles. Collective. */
int caucus_role_edges_count(const struct caucus_attachment *attachment,
                            const struct caucus_role_edges *neighbors, int64_t *edges);

/* The edges of some ranks on the first of them, those of a whole communicator: of the i-th one
 * start[i] to start[i + 1] - 1. Collective; all of them get the same status. On the first to be
 * freed: start, and to, behind which weight lies. */
int caucus_role_edges_gather(const struct caucus_peers *ranks,
                             const struct caucus_role_edges *neighbors, int64_t **start,
                             int32_t **to, int32_t **weight);

/* Where ranks lie: node[size], and part[level][size], which tells ranks of a node apart, on rank 0.
 * Collective. */
int caucus_gather_places(const struct caucus_attachment *attachment, int32_t *node,
                         int32_t *const part[CAUCUS_INNER_LEVELS]);

/* Two of numbers[2 * size], which rank 0 has, to each rank. Collective. */
int caucus_scatter_pairs(const struct caucus_attachment *attachment, const int *numbers,
                         int pair[2]);

/* What this rank's edges weigh, where the role of each rank is its own. */
struct caucus_node_traffic {
    double leaving, worst, all; /* of all nodes, of the one that sends most, of all edges */
    double on, off;             /* neighbours on the same node and on others, in all */
    int on_min, on_max, off_min, off_max; /* of a rank */
};

/* Collective; the same on all ranks. O(ranks) memory. */
int caucus_role_edges_traffic(const struct caucus_attachment *attachment,
                              const struct caucus_role_edges *neighbors,
                              struct caucus_node_traffic *traffic);

#endif
