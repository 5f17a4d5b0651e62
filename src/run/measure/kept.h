/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured is kept for other runs of this user, in a file of the folder that CAUCUS_CACHE
 * names, by MPI, kind of host, number of nodes, of ranks on one and of processors, and what of a
 * node was measured. */
#ifndef CAUCUS_RUN_MEASURE_KEPT_H
#define CAUCUS_RUN_MEASURE_KEPT_H

#include "plan/machine/model.h"
#include "run/attachment/attach.h"

/* Of what is within a node. */
enum caucus_kept_within {
    CAUCUS_KEPT_NOTHING,
    CAUCUS_KEPT_MESSAGES,
    CAUCUS_KEPT_ALL,
    CAUCUS_KEPT_ONE_COPY /* the same, and one copy */
};

/* Whether there is a file, which then is in the model. One that is another user's, that others may
 * change, or that lacks something is not used, and a line on standard error says so. Local. */
bool caucus_kept_read(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                      struct caucus_model *model);

/* A reader finds a whole file or none. Where none can be written, there is none; a line on standard
 * error says so if the user has named the folder. Local. */
void caucus_kept_write(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                       const struct caucus_model *model);

#endif
