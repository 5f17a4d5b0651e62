/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's rules for the arguments of collectives, as far as one rank can tell: no message. */
#ifndef CAUCUS_API_COLLECTIVE_CHECK_H
#define CAUCUS_API_COLLECTIVE_CHECK_H

#include "api/collective/call.h"
#include "api/collective/team.h"

/* Whether there is such a collective where there are two groups. */
int caucus_call_check_groups(const struct caucus_collective_call *call,
                             const struct caucus_team *team);

/* Fails with a text that names the argument and what was expected of it. neighbors: of a
 * neighbourhood collective. */
int caucus_call_check(const struct caucus_collective_call *call, const struct caucus_team *team,
                      const struct caucus_neighbors *neighbors);

#endif
