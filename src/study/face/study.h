/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind caucus_study of caucus/schedule.h. */
#ifndef CAUCUS_STUDY_FACE_STUDY_H
#define CAUCUS_STUDY_FACE_STUDY_H

#include "plan/choice/choose.h"
#include "study/collective/problem.h"

#include <caucus/schedule.h>

struct caucus_study {
    struct caucus_node_map nodes;
    bool shares_memory;
    struct caucus_model model;
    int64_t *lengths; /* of blocks, where a pattern was asked for, else NULL */
    struct caucus_problem problem;
    const struct caucus_algorithm *algorithm;
    struct caucus_schedule *schedules; /* of all ranks, built when they are asked for */
    struct caucus_candidate candidate; /* shown last */
    double predicted;
};

/* Where the ranks lie. ranks is filled in where it is 0 and the text says how many there are;
 * first_group is of the question, and not checked yet. */
int caucus_study_read_machine(struct caucus_study *study, const char *text, int64_t first_group,
                              int64_t *ranks);

/* shape->lengths, by the words of the question; the study keeps them. Else leaves it alone. */
int caucus_study_read_counts(struct caucus_study *study, const char *text,
                             struct caucus_problem_shape *shape);

/* Whether the second group's blocks have a size of their own: second_bytes. */
bool caucus_study_sided(const struct caucus_problem_shape *shape);

/* Builds the schedules, if they are not there yet. */
int caucus_study_build(caucus_study *study);

#endif
