/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks take part in a grid that is smaller than the communicator. */
#ifndef CAUCUS_API_GRID_CANDIDATE_H
#define CAUCUS_API_GRID_CANDIDATE_H

#include "api/grid/request.h"
#include "plan/grid/problem.h"

/* The lowest `taken` ranks of every node take part. Nodes without any are no part of the problem,
 * so its nodes have numbers of their own. */
struct caucus_grid_candidate {
    struct caucus_grid_problem problem; /* its stencil is the request's */
    int32_t *taken;                     /* [nodes of the machine] */
    int32_t *number;                    /* [nodes of the machine] of the problem, -1 for none */
};

/* taken is copied; its sum is the size of the grid. */
int caucus_grid_candidate_init(struct caucus_grid_candidate *candidate,
                               const struct caucus_grid_request *request, int32_t nodes,
                               const int32_t *taken);
void caucus_grid_candidate_free(struct caucus_grid_candidate *candidate);

/* Two at most: the first ranks, of which the nodes have first[nodes], and the largest nodes whole,
 * where that is something else. */
int caucus_grid_candidates(const struct caucus_grid_request *request,
                           const struct caucus_nodes *nodes, const int32_t *first,
                           struct caucus_grid_candidate candidates[2], int *count);

#endif
