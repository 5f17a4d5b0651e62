/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms that the user forces: "allreduce:ring,bcast:binomial". */
#ifndef CAUCUS_API_COLLECTIVE_FORCED_H
#define CAUCUS_API_COLLECTIVE_FORCED_H

#include "plan/collective/task.h"

enum { CAUCUS_ALGORITHM_NAME = 64 };

/* Whether every item of the list names a collective and one of its algorithms; fails with a text
 * that names the item. */
int caucus_forced_check(const char *list);

/* The name that a list has for a collective, "" if none; name has room for CAUCUS_ALGORITHM_NAME.
 * An item without a collective counts for all. A name that there is between groups only, or within
 * one only, counts for nothing elsewhere. */
void caucus_forced_find(const char *list, enum caucus_collective collective, bool between,
                        char *name);

#endif
