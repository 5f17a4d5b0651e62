/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the algorithms of a collective, of one group or between two. */
#ifndef CAUCUS_PLAN_CHOICE_CHOOSE_H
#define CAUCUS_PLAN_CHOICE_CHOOSE_H

#include "plan/collective/algorithm.h"

/* The cheapest that serves, or the one with the name forced (NULL or "" for none); fails where that
 * one can't serve, and where there is no memory to find out what one costs. Allows only what needs
 * no more than allowed of CAUCUS_NEEDS_COUNTS and CAUCUS_NEEDS_TRAFFIC: 0 where nothing may be
 * exchanged. */
int caucus_algorithm_choose(const struct caucus_task *task, const struct caucus_model *model,
                            const char *forced, unsigned allowed,
                            const struct caucus_algorithm **algorithm);

/* The same with two models: what is cheapest by the measured one counts against what is by the
 * usual one only where it is so by a factor of two, since what was measured is a short look at a
 * few ranks, and the formulas are no better. */
int caucus_algorithm_choose_measured(const struct caucus_task *task,
                                     const struct caucus_model *measured,
                                     const struct caucus_model *usual, unsigned allowed,
                                     const struct caucus_algorithm **algorithm);

/* What it goes by, one algorithm at a time: for explanations. */
enum { CAUCUS_WHY_ROOM = 256 };

struct caucus_candidate {
    const struct caucus_algorithm *algorithm;
    bool serves;
    bool lacks_memory;         /* nobody knows, as there was no memory to find out; others may */
    double seconds;            /* predicted, where it serves */
    char why[CAUCUS_WHY_ROOM]; /* why it can't serve, else "" */
};

/* The algorithm of this collective that comes at index, 0 first, in the order of the table; false
 * beyond the last. allowed as in caucus_algorithm_choose. */
bool caucus_algorithm_explain(const struct caucus_task *task, const struct caucus_model *model,
                              unsigned allowed, int index, struct caucus_candidate *candidate);

#endif
