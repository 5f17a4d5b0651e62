/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes which role of a graph. */
#ifndef CAUCUS_API_GRAPH_PLACEMENT_H
#define CAUCUS_API_GRAPH_PLACEMENT_H

#include "api/graph/request.h"
#include "api/grid/kept.h"

struct caucus_graph_placement_of_rank {
    struct caucus_grid_outcome outcome; /* the same on all ranks */
    int role;                           /* of this rank; -1 if it takes no part */
    int giver; /* the role of the rank whose number is this role: it has the role's edges */
};

/* Works it out. Collective; all ranks get the same status. */
int caucus_graph_place_ranks(const struct caucus_graph_request *request,
                             const struct caucus_attachment *attachment,
                             struct caucus_graph_placement_of_rank *placement);

/* As the public reports have it. */
caucus_cart_traffic caucus_graph_traffic(const struct caucus_node_traffic *traffic, int ranks);

#endif
