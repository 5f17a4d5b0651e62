/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the bound share; bound.c says what it is. */
#ifndef CAUCUS_PLAN_GRID_BOUND_PARTS_H
#define CAUCUS_PLAN_GRID_BOUND_PARTS_H

#include "plan/grid/grid.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_bound_axis {
    int32_t length;
    bool periodic;
    double weight; /* of an undirected edge */
    double lines;
};

/* A grid without axes of 1, and its nodes by size. */
struct caucus_bound_case {
    int axes;
    struct caucus_bound_axis axis[CAUCUS_GRID_MAX_DIMS];
    int32_t sizes; /* different ones, ascending */
    int32_t *size;
    int32_t *count; /* of nodes with that size */
    int fillable;   /* the set of axes with a weight of which some node could fill a line */
    double work;    /* elementary steps that may still be spent */
    double dearest; /* the steps of the dearest mix so far */
};

/* How the inequalities of each axis are mixed. */
struct caucus_bound_mix {
    double theta[CAUCUS_GRID_MAX_DIMS]; /* the share of the lines met */
    double share[CAUCUS_GRID_MAX_DIMS]; /* of the pieces, within that; 0: none */
    int piece[CAUCUS_GRID_MAX_DIMS];    /* their length; negative: pieces of at most that length */
    double value;                       /* the bound that it gave where it was found */
};

/* For nodes that fill lines along no axis outside fillable. cost[j], filling[j]: what a node of
 * size[j] adds to jsum at least, in the second case if it fills lines along each axis of fillable;
 * *constant is to be added once. */
int caucus_bound_with(struct caucus_bound_case *bound_case, int fillable,
                      const struct caucus_bound_mix *mix, double *cost, double *filling,
                      double *constant);

/* Whether a mix says anything where lines along these axes are filled. */
bool caucus_bound_mix_serves(const struct caucus_bound_case *bound_case, int fillable,
                             const struct caucus_bound_mix *mix);

/* What the lines along the axes outside fillable cost if none of them is filled. */
double caucus_bound_unfilled_lines(const struct caucus_bound_case *bound_case, int fillable);

/* Climbs to the mix with the largest bound where no line outside fillable is filled. */
int caucus_bound_climb(struct caucus_bound_case *bound_case, int fillable, bool pieces,
                       struct caucus_bound_mix *best);

/* The least over all ways in which single nodes may fill lines; mixes (count) are worth trying. */
int caucus_bound_by_nodes(struct caucus_bound_case *bound_case,
                          const struct caucus_bound_mix *mixes, int count, double *bound);

#ifdef __cplusplus
}
#endif

#endif
