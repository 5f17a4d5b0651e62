/* SPDX-License-Identifier: BSD-3-Clause */
/* Dimensions that keep halos small and on the node. */
#ifndef CAUCUS_PLAN_GRID_DIMS_H
#define CAUCUS_PLAN_GRID_DIMS_H

#include "plan/machine/nodes.h"

/* Fills the zeros of dims (ndims entries; others are kept) such that the product is ranks and the
 * bytes between nodes plus a tenth of all halo bytes are least. extents: the global mesh size along
 * each axis, NULL for a cube; periodic may be NULL. nodes.ranks is ranks. */
int caucus_grid_dims(const struct caucus_nodes *nodes, int ndims, const double *extents,
                     const int *periodic, int *dims);

/* Whether that can be done for so many ranks. */
int caucus_grid_dims_check(int64_t ranks, int ndims, const double *extents, const int *dims);

#endif
