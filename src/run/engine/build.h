/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_ENGINE_BUILD_H
#define CAUCUS_RUN_ENGINE_BUILD_H

#include "run/attachment/attach.h"

/* The Cartesian communicator in which this rank has the place given, -1 for none; the places are a
 * permutation of the cells. moved is false where places are just ranks. The new communicator
 * returns errors. Collective over attachment->comm. */
int caucus_build_grid(const struct caucus_attachment *attachment, int ndims, const int *dims,
                      const int *periods, bool moved, int64_t place, MPI_Comm *made);

/* Makes the new communicator a child of comm_old: it gets its error handler and the origin, which
 * is taken over, NULL where nodes are not described. Local; MPI alone may fail. */
int caucus_inherit(MPI_Comm comm_old, struct caucus_origin *origin, MPI_Comm made);

#endif
