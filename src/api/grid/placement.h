/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes which cell, and why: worked out before a communicator is made. */
#ifndef CAUCUS_API_GRID_PLACEMENT_H
#define CAUCUS_API_GRID_PLACEMENT_H

#include "api/grid/request.h"
#include "plan/grid/evaluate.h"

#include <caucus/grid.h>

/* Plain bytes: rank 0's hold for all. */
struct caucus_grid_outcome {
    caucus_cart_report_data report;
    bool moved;     /* otherwise every rank keeps its place */
    double seconds; /* that planning took */
};

struct caucus_grid_placement {
    struct caucus_grid_outcome outcome;
    int64_t cell; /* of this rank; -1 if it takes no part */
    /* Of a leader: the cells of its node, as many as the node has ranks at most. */
    int count;
    int64_t *cells;
    int64_t *scratch; /* room for as many */
};

/* Room for a leader; local. */
int caucus_grid_placement_init(struct caucus_grid_placement *placement,
                               const struct caucus_attachment *attachment);
void caucus_grid_placement_free(struct caucus_grid_placement *placement);

/* Works out the placement. Collective; all ranks get the same status. */
int caucus_grid_place_ranks(const struct caucus_grid_request *request,
                            const struct caucus_attachment *attachment,
                            struct caucus_grid_placement *placement);

/* The ways to work out the cells of each node. They fill the outcome everywhere and, if ranks move,
 * the cells of the leaders. */
int caucus_grid_plan_central(const struct caucus_grid_request *request,
                             const struct caucus_attachment *attachment,
                             struct caucus_grid_placement *placement);
int caucus_grid_plan_distributed(const struct caucus_grid_request *request,
                                 const struct caucus_attachment *attachment,
                                 struct caucus_grid_placement *placement);

/* Whether the threshold lets ranks move. */
bool caucus_grid_pays(const struct caucus_grid_request *request, double given, double placed);

#endif
