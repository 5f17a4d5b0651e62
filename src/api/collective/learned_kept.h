/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found out by measuring, kept for other runs of this user beside what was measured of the
 * machine: by MPI, version, ranks and how they lie on nodes, and whether MPI's own calls compete.
 */
#ifndef CAUCUS_API_COLLECTIVE_LEARNED_KEPT_H
#define CAUCUS_API_COLLECTIVE_LEARNED_KEPT_H

#include "api/collective/context.h"

/* From now on what is measured is remembered, from what is kept on: rank 0 reads, all know; for two
 * groups nothing is kept. Does nothing where nothing is measured, and the second time. Collective.
 */
int caucus_learned_begin(struct caucus_context *context);

/* Writes what is known, and what others have written meanwhile; a rank other than 0 does nothing.
 * Local. */
void caucus_learned_keep(const struct caucus_context *context);

#endif
