/* SPDX-License-Identifier: BSD-3-Clause */
/* A small set of cells, such as those of one node, to be divided into parts with a light cut. */
#ifndef CAUCUS_PLAN_GRID_CLUSTER_H
#define CAUCUS_PLAN_GRID_CLUSTER_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"

/* coordinate[axis * count + i]: the coordinate of cells[i], counted from the set's lowest one. A
 * set that lies across the seam of a periodic axis is counted from behind its largest gap. */
int caucus_shape_coordinates(const struct caucus_grid *grid, int count, const int64_t *cells,
                             int32_t *coordinate);

/* Where cell is among the set's cells, which ascend; -1 if it is not one of them. */
int32_t caucus_shape_position(int count, const int64_t *cells, int64_t cell);

/* Cells are spoken of by their position in the set. */
struct caucus_cluster {
    int count, ndims;
    const int64_t *cell; /* ascending */
    int32_t *coordinate; /* [ndims][count], each below count, in the order of the real ones */
    int64_t *link_start; /* [count + 1] */
    int32_t *link_to;
    double *link_weight;
    int32_t *memory; /* [9 * count] for splits, which start with count labels of -1 */
    int64_t *key;    /* [count] for splits */
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

#endif
