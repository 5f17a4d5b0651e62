/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes which cell, why, and what traffic that makes: worked out before a communicator is made.
 */
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
    const struct caucus_grid_request *request;
    const struct caucus_attachment *attachment;
    struct caucus_grid_outcome outcome;
    int64_t cell; /* of this rank; -1 if it takes no part */
    /* Of a leader: the cells of its node, as many as the node has ranks at most. */
    int count;
    int64_t *cells;
    int64_t *scratch; /* room for as many */
};

/* Room for a leader; local. The request may be filled later. */
int caucus_grid_placement_init(struct caucus_grid_placement *placement,
                               const struct caucus_grid_request *request,
                               const struct caucus_attachment *attachment);
void caucus_grid_placement_free(struct caucus_grid_placement *placement);

/* Works out the placement. Collective; all ranks get the same status. */
int caucus_grid_place_ranks(struct caucus_grid_placement *placement);

/* The ways to work out the cells of each node. They fill the outcome everywhere and, if ranks move,
 * the cells of the leaders. */
int caucus_grid_plan_central(struct caucus_grid_placement *placement);
int caucus_grid_plan_distributed(struct caucus_grid_placement *placement);

/* A score as the public reports have it. */
caucus_cart_traffic caucus_grid_traffic(const struct caucus_grid_score *score);

/* Whether the threshold lets ranks move. */
bool caucus_grid_pays(const struct caucus_grid_request *request, double given, double placed);

/* On rank 0: a warning that ranks stay though the user has forced a mapper; nothing if none is
 * forced. The result is never worse than before, whatever the user asks for. why: such words. */
#define CAUCUS_GRID_SAVES_NOTHING                                                                  \
    "would not save CAUCUS_CART_THRESHOLD of the traffic between nodes"
void caucus_grid_tell_refused(const struct caucus_grid_request *request, const char *why);

/* The leader gets the cells of its node, ascending, without those that are -1: cells has room for
 * one for each local rank. All ranks. */
int caucus_grid_collect(const struct caucus_attachment *attachment, int64_t cell, int *count,
                        int64_t *cells);

/* The traffic of all nodes, whose leaders know their own shares; *traffic on rank 0. Leaders only.
 */
int caucus_grid_add_shares(const struct caucus_attachment *attachment,
                           const struct caucus_grid_share *share, caucus_cart_traffic *traffic);

/* The traffic if each leader's node has these cells; *traffic on rank 0. Leaders only. */
int caucus_grid_measure(const struct caucus_attachment *attachment, const struct caucus_grid *grid,
                        const struct caucus_stencil *stencil, int count, const int64_t *cells,
                        caucus_cart_traffic *traffic);

/* The same if this rank has this cell; cells as for caucus_grid_collect. All ranks. */
int caucus_grid_measure_ranks(const struct caucus_attachment *attachment,
                              const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                              int64_t cell, int64_t *cells, caucus_cart_traffic *traffic);

#endif
