/* SPDX-License-Identifier: BSD-3-Clause */
/* What caucus_algorithm_choose goes by, one algorithm at a time: for explanations. */
#ifndef CAUCUS_PLAN_COLLECTIVE_CHOOSE_H
#define CAUCUS_PLAN_COLLECTIVE_CHOOSE_H

#include "plan/collective/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAUCUS_WHY_ROOM = 256 };

struct caucus_candidate {
    const struct caucus_algorithm *algorithm;
    bool serves;
    double seconds;            /* predicted, where it serves */
    char why[CAUCUS_WHY_ROOM]; /* why it can't serve, else "" */
};

/* The algorithm of this collective that comes at index, 0 first, in the order of the table; false
 * beyond the last. allowed as in caucus_algorithm_choose. */
bool caucus_algorithm_explain(const struct caucus_task *task, const struct caucus_model *model,
                              unsigned allowed, int index, struct caucus_candidate *candidate);

#ifdef __cplusplus
}
#endif

#endif
