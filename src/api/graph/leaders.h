/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs too large for one rank: the leaders of the nodes find who takes which role, each with the
 * edges of its own node's ranks (plan/graph/leader.h). */
#ifndef CAUCUS_API_GRAPH_LEADERS_H
#define CAUCUS_API_GRAPH_LEADERS_H

#include "api/graph/placement.h"

/* own: the edges that leave this rank's role; vertices: how many roles there are, at most as many
 * as ranks. Fills the placement. Collective; all ranks get the same status. */
int caucus_graph_place_by_leaders(const struct caucus_attachment *attachment,
                                  const struct caucus_role_edges *own, int vertices,
                                  double threshold,
                                  struct caucus_graph_placement_of_rank *placement);

#endif
