/* SPDX-License-Identifier: BSD-3-Clause */
/* What the world tells and gives to programs that run in it alone. */
#ifndef TESTS_WORLD_PROGRAMS_WORLD_CALLS_H
#define TESTS_WORLD_PROGRAMS_WORLD_CALLS_H

#include "check.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

int world_is_dead(int rank);     /* at once, before MPI tells */
void world_shield(int shielded); /* nobody dies while anybody is shielded */
void *world_board(size_t bytes); /* memory of all ranks, 0 at first, which outlives them */

/* Calls of MPI are what keeps it going. */
static inline void poke_mpi(void) {
    int found;
    MPI_Iprobe(world_rank(), 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

/* Until all who live have come as far: stages of ranks are on the board. */
static inline void reach(int stages[], int stage, void (*meanwhile)(void)) {
    stages[world_rank()] = stage;
    for (int i = 0; i < world_size(); i++)
        while (!world_is_dead(i) && stages[i] < stage) {
            meanwhile();
            sched_yield();
        }
}

#endif
