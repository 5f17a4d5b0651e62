/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges with neighbours that are MPI's own, where its nonblocking forms confuse directions
 * (run/support/short_axes.h). */
#ifndef CAUCUS_API_COLLECTIVE_NEIGHBOR_ORDER_H
#define CAUCUS_API_COLLECTIVE_NEIGHBOR_ORDER_H

#include "api/collective/call.h"

/* Whether it has a block for each neighbour, which may be confused. */
static inline bool caucus_exchanges_with_neighbors(enum caucus_collective collective) {
    return collective == CAUCUS_NEIGHBOR_ALLTOALL || collective == CAUCUS_NEIGHBOR_ALLTOALLV ||
           collective == CAUCUS_NEIGHBOR_ALLTOALLW;
}

/* Makes of the call, which is checked, the one by which MPI does what it says: what it confuses is
 * given the other way round. *lists is to be freed after the call's arrays have been copied. */
int caucus_neighbor_order(struct caucus_collective_call *call, void **lists);

#endif
