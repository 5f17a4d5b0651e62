/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_GRID_DIMS_H
#define CAUCUS_API_GRID_DIMS_H

#include "run/attach.h"

/* What caucus_dims_create works out, for a cube with open borders, from what an attached
 * communicator already knows of its nodes: no message, and the same on all ranks. A status. */
int caucus_dims_work_out(const struct caucus_attachment *attachment, int nranks, int ndims,
                         int dims[]);

#endif
