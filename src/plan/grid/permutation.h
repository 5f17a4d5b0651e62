/* SPDX-License-Identifier: BSD-3-Clause */
/* All orders of a few things, one after the other. */
#ifndef CAUCUS_PLAN_GRID_PERMUTATION_H
#define CAUCUS_PLAN_GRID_PERMUTATION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Turns order into its lexicographically next permutation; false (and unchanged) after the last.
 * The first is 0, 1, 2, ...; numbers may repeat, equal ones are not told apart. */
bool caucus_permutation_next(int count, int *order);

#ifdef __cplusplus
}
#endif

#endif
