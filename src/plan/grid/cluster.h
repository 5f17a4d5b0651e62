/* SPDX-License-Identifier: BSD-3-Clause */
/* A small set of cells, such as those of one node, to be divided into parts with a light cut. */
#ifndef CAUCUS_PLAN_GRID_CLUSTER_H
#define CAUCUS_PLAN_GRID_CLUSTER_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cells are spoken of by their position in the set. */
struct caucus_cluster {
    int count, ndims;
    const int64_t *cell; /* ascending */
    int32_t *coordinate; /* [ndims][count], each below count, in the order of the real ones */
    int64_t *link_start; /* [count + 1] */
    int32_t *link_to;
    double *link_weight;
    int32_t *memory; /* [11 * count + 1] for splits, which start with count labels of -1 */
};

/* cells must ascend and stay valid. */
int caucus_cluster_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        int count, const int64_t *cells, struct caucus_cluster *cluster);
void caucus_cluster_free(struct caucus_cluster *cluster);

/* Weight of the links between cells of different labels. */
double caucus_cluster_cut(const struct caucus_cluster *cluster, const int32_t *label);

/* Divides the members (count positions, ascending) into parts, numbered from 0, of size[part] cells
 * each, at least 1. part has a division on entry, by member, and the best found on return. */
void caucus_cluster_split(const struct caucus_cluster *cluster, int count, const int32_t *members,
                          int32_t parts, const int32_t *size, int32_t *part);

#ifdef __cplusplus
}
#endif

#endif
