/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_SELECT=measure: whether another algorithm than the one that the model has chosen is
 * faster, found out in a persistent init. */
#ifndef CAUCUS_API_COLLECTIVE_SELECTION_H
#define CAUCUS_API_COLLECTIVE_SELECTION_H

#include "api/collective/prepared.h"

/* In the place of *prepared, which has an arena of its own and is ready on all ranks, what is
 * faster, if anything is. What cannot be measured stays as it is; it fails, on all ranks alike,
 * where a run does. Collective; work is the same that *prepared was made of. */
int caucus_selection_improve(struct caucus_work *work, struct caucus_context *context,
                             const char *forced, int sending, struct caucus_prepared **prepared);

#endif
