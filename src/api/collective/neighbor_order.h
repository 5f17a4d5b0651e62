/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges with neighbours that are MPI's own, where its nonblocking forms confuse directions
 * (run/support/short_axes.h). */
#ifndef CAUCUS_API_COLLECTIVE_NEIGHBOR_ORDER_H
#define CAUCUS_API_COLLECTIVE_NEIGHBOR_ORDER_H

#include "api/collective/call.h"

/* Makes of the call, which is checked, the one by which MPI does what it says: what it confuses is
 * given the other way round. *lists is to be freed after the call's arrays have been copied. */
int caucus_neighbor_order(struct caucus_collective_call *call, void **lists);

#endif
