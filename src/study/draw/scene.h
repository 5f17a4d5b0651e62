/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules of all ranks on a machine, written to a file in several ways. */
#ifndef CAUCUS_STUDY_DRAW_SCENE_H
#define CAUCUS_STUDY_DRAW_SCENE_H

#include "study/simulate/simulate.h"

#include <stdio.h>

struct caucus_scene {
    int32_t ranks, first_group; /* ranks of the first of two groups, 0: there is but one */
    const struct caucus_schedule *schedules;
    const struct caucus_node_map *nodes; /* NULL: every rank a node of its own */
    const struct caucus_model *model;
    const char *title;
};

/* A rank as drawings call it: its number or, of two groups, A0, A1, … and B0, B1, … */
void caucus_scene_name(const struct caucus_scene *scene, int32_t rank, char *name, size_t room);

/* A space-time diagram of the simulation: time goes right, ranks go down, in the shade of their
 * node. Many ranks share a line, and many messages a stroke. */
int caucus_scene_svg(const struct caucus_scene *scene, FILE *file);

/* A table, a line for each step and a column for each rank, in lines of at most 100 columns. */
int caucus_scene_text(const struct caucus_scene *scene, FILE *file);

/* GOAL, the language of the simulator LogGOPSim (Hoefler, Schneider and Lumsdaine, HPDC 2010). A
 * step requires the one before it. Copies and reductions are calc, in nanoseconds of the model; a
 * flag is a message of one byte from who raises it to each who awaits it. */
int caucus_scene_goal(const struct caucus_scene *scene, FILE *file);

#endif
