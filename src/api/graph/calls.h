/* SPDX-License-Identifier: BSD-3-Clause */
/* What the drop-in does of graphs. */
#ifndef CAUCUS_API_GRAPH_CALLS_H
#define CAUCUS_API_GRAPH_CALLS_H

#include "api/calls/calls.h"
#include "api/grid/kept.h"

/* What became of the calling thread's last successful call that made a graph. */
const struct caucus_grid_outcome *caucus_graph_last(void);

/* Counts a graph, and remembers on rank 0 of comm what was made of it: call after a constructor
 * succeeded on this thread. */
void caucus_call_count_graph(enum caucus_call call, MPI_Comm comm);

#endif
