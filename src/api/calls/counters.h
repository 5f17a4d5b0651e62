/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process counted. */
#ifndef CAUCUS_API_CALLS_COUNTERS_H
#define CAUCUS_API_CALLS_COUNTERS_H

#include "api/calls/reasons.h"

#include <stddef.h>
#include <stdint.h>

enum { CAUCUS_COUNTERS_ALGORITHMS = 32, CAUCUS_COUNTERS_GRIDS = 1000 };

struct caucus_call_counters {
    int64_t taken, passed, bytes;
    int64_t between; /* of those taken, on intercommunicators */
    int64_t by_algorithm[CAUCUS_COUNTERS_ALGORITHMS];
    int64_t by_reason[CAUCUS_REASONS]; /* of those passed */
};

/* Whether the counts of collectives go into a report. The same on all ranks once it is told. */
bool caucus_counters_is_wanted(void);
void caucus_counters_want(bool wanted);

/* The algorithms' names of a call, numbered alike in all processes; NULL beyond the end. The last
 * one stands for all that have no number. */
const char *caucus_counters_algorithm(enum caucus_call call, int index);

void caucus_counters_add_bytes(enum caucus_call call, int64_t bytes);
void caucus_counters_add_between(enum caucus_call call);

/* A copy of all counts. */
void caucus_counters_read(struct caucus_call_counters tallies[CAUCUS_CALL_COUNT]);

/* Grids that are remembered: those that Caucus placed, and those that were left to MPI. */
enum caucus_grid_list { CAUCUS_GRIDS_PLACED, CAUCUS_GRIDS_LEFT, CAUCUS_GRID_LISTS };

/* As JSON objects separated by ",\n"; "" if none. Owned by the counters; no counting must go on
 * meanwhile. At most CAUCUS_COUNTERS_GRIDS are kept of each. */
const char *caucus_counters_grids(enum caucus_grid_list list, size_t *length);
void caucus_counters_keep_grid(enum caucus_grid_list list, const char *object);

#endif
