/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks whose nodes are right already may still trade places within their nodes. */
#ifndef CAUCUS_API_GRID_WITHIN_H
#define CAUCUS_API_GRID_WITHIN_H

#include "api/grid/placement.h"

/* For ranks that would keep their places: the leaders work out what packages and shared caches gain
 * if the cells of each node are dealt anew. If it pays, the outcome says that ranks move, and the
 * leaders have the cells of their nodes. Collective; all ranks get the same status. */
int caucus_grid_trade_within(const struct caucus_grid_request *request,
                             const struct caucus_attachment *attachment,
                             struct caucus_grid_placement *placement);

#endif
