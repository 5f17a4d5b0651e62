/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests at the price of one meeting of the ranks: each gets ready all by itself, and
 * where all turn out to have the same, that is it. */
#ifndef CAUCUS_API_COLLECTIVE_QUICK_H
#define CAUCUS_API_COLLECTIVE_QUICK_H

#include "api/collective/hints.h"
#include "api/collective/request.h"

/* Collective over the call's communicator. NULL on all ranks alike where one of them was not ready
 * or had something else; nothing of it is left then, no error is raised, and nobody knows why. */
struct caucus_request_object *caucus_quick_prepare(const struct caucus_collective_call *call,
                                                   struct caucus_team *team);

/* Gives the request the key by which it is found when it has been freed, if it can have one. */
int caucus_quick_key(const struct caucus_work *work, const struct caucus_hints *hints,
                     struct caucus_request_object *request);

#endif
