/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured is kept for other runs of this user, in a file of the folder that CAUCUS_CACHE
 * names, by MPI, kind of host, number of nodes and of ranks on one. */
#ifndef CAUCUS_RUN_MEASURE_KEPT_H
#define CAUCUS_RUN_MEASURE_KEPT_H

#include "plan/machine/model.h"
#include "run/attachment/attach.h"

/* Whether there is a file, which then is in the model. One that is another user's, that others may
 * change, or that lacks something is not used, and a line on standard error says so. Local. */
bool caucus_kept_read(const struct caucus_attachment *attachment, struct caucus_model *model);

/* A reader finds a whole file or none. Where none can be written, there is none; a line on standard
 * error says so if the user has named the folder. Local. */
void caucus_kept_write(const struct caucus_attachment *attachment,
                       const struct caucus_model *model);

#endif
