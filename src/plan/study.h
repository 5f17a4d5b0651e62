/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind caucus_study of caucus/schedule.h. */
#ifndef CAUCUS_PLAN_STUDY_H
#define CAUCUS_PLAN_STUDY_H

#include "plan/collective/choose.h"
#include "plan/collective/problem.h"

#include <caucus/schedule.h>

struct caucus_study {
    struct caucus_node_map nodes;
    bool shares_memory;
    struct caucus_model model;
    struct caucus_problem problem;
    const struct caucus_algorithm *algorithm;
    struct caucus_schedule *schedules; /* of all ranks, built when they are asked for */
    struct caucus_candidate candidate; /* shown last */
    double predicted;
};

/* Builds the schedules, if they are not there yet. */
int caucus_study_build(caucus_study *study);

#endif
