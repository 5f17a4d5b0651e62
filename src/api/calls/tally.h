/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process counted. */
#ifndef CAUCUS_API_CALLS_TALLY_H
#define CAUCUS_API_CALLS_TALLY_H

#include "api/calls/calls.h"

#include <stddef.h>
#include <stdint.h>

enum { CAUCUS_TALLY_ALGORITHMS = 32, CAUCUS_TALLY_GRIDS = 1000 };

struct caucus_tally {
    int64_t taken, passed, bytes;
    int64_t between; /* of those taken, on intercommunicators */
    int64_t by_algorithm[CAUCUS_TALLY_ALGORITHMS];
};

/* Whether the counts of collectives go into a report. The same on all ranks once it is told. */
bool caucus_tally_is_wanted(void);
void caucus_tally_want(bool wanted);

/* The algorithms' names of a call, numbered alike in all processes; NULL beyond the end. The last
 * one stands for all that have no number. */
const char *caucus_tally_algorithm(enum caucus_call call, int index);

void caucus_tally_add_bytes(enum caucus_call call, int64_t bytes);
void caucus_tally_add_between(enum caucus_call call);

/* A copy of all counts. */
void caucus_tally_read(struct caucus_tally tallies[CAUCUS_CALL_COUNT]);

/* The grids remembered, as JSON objects separated by ",\n"; "" if none. Owned by the tally; no
 * counting must go on meanwhile. At most CAUCUS_TALLY_GRIDS are kept. */
const char *caucus_tally_grids(size_t *length);
void caucus_tally_keep_grid(const char *object);

#endif
