/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeping rank 0 at cell 0, where programs expect it. Node 0 is that of rank 0, and any rank of a
 * node can have any of its cells (place.h), so it is node 0 that has to have cell 0. */
#ifndef CAUCUS_PLAN_GRID_RANK0_H
#define CAUCUS_PLAN_GRID_RANK0_H

#include "plan/grid/evaluate.h"
#include "plan/grid/mirror.h"

/* For nothing, where it can be had for nothing: by an exchange of whole nodes of one size, if need
 * be seen through a symmetry of the grid. Every node has as many cells as before, and what the
 * mapping costs is the same. O(size) at most. */
int caucus_rank0_keep(const struct caucus_grid_problem *problem,
                      const struct caucus_mirrors *mirrors, int32_t *node_of_cell, bool *kept);

/* Whether caucus_rank0_keep would succeed. */
bool caucus_rank0_can_keep(const struct caucus_grid_problem *problem,
                           const struct caucus_mirrors *mirrors, const int32_t *node_of_cell);

/* Where it can't: exchanges the two cells of different nodes whose exchange costs least and lets
 * caucus_rank0_keep succeed. O(size * offsets). */
int caucus_rank0_exchange(const struct caucus_grid_problem *problem,
                          const struct caucus_mirrors *mirrors, int32_t *node_of_cell);

/* What CAUCUS_CART_RANK0 says: by how much keeping rank 0 may raise the cost, infinite for always,
 * negative for never. name is what an error calls the text. */
int caucus_rank0_parse(const char *name, const char *text, double *most);

/* By which fraction a mapping costs more than another: of jsum or of jmax, whichever rises more; at
 * least 0. */
double caucus_rank0_cost(double jsum, double jmax, double than_jsum, double than_jmax);

/* Whether mapping a costs less than b, in that sense, as alternatives to a better one. */
bool caucus_rank0_cheaper(const struct caucus_grid_score *a, const struct caucus_grid_score *b,
                          const struct caucus_grid_score *than);

#endif
