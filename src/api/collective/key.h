/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells whether work that was done for one call serves another. */
#ifndef CAUCUS_API_COLLECTIVE_KEY_H
#define CAUCUS_API_COLLECTIVE_KEY_H

#include "api/collective/work.h"

/* Plain bytes: all that a schedule and its binding depend on besides the buffers, as far as this
 * rank knows it before any exchange. To be given to free(); NULL without memory. */
void *caucus_key_create(const struct caucus_work *work, size_t *bytes);

/* Whether what the key was made of always means the same. An operation is known by its handle:
 * whoever calls with it has not freed it. A datatype counts only in reductions, and then must be
 * one of MPI's own. */
bool caucus_key_holds(const struct caucus_work *work);

#endif
