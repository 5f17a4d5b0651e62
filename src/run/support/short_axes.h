/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether MPI's nonblocking exchanges with neighbours (MPI_Ineighbor_alltoall, v and w) confuse the
 * two directions of a grid's periodic axis of one or two ranks, as Open MPI 5.0.11 does: block i
 * meets block i there, and not that of the other direction (docs/mpi-faults.md,
 * ineighbor_short_axis). */
#ifndef CAUCUS_RUN_SUPPORT_SHORT_AXES_H
#define CAUCUS_RUN_SUPPORT_SHORT_AXES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_MOST_AXES = 64 }; /* of the grids that are looked at */

/* Which axes of comm it confuses, bit by bit; 0 where comm is no grid. The same on all its ranks.
 * Local; the first time MPI is tried out on a grid of this process alone. */
uint64_t caucus_confused_axes(MPI_Comm comm);

#endif
