/* SPDX-License-Identifier: BSD-3-Clause */
/* What flags and copies in memory that two ranks share cost: each function is called by both at the
 * same time, and takes about as long as the probe allows, or a few rounds if these take longer.
 * Where MPI tells that a rank of the engine is dead, it ends with 0. */
#ifndef CAUCUS_RUN_MEASURE_SHARED_H
#define CAUCUS_RUN_MEASURE_SHARED_H

#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_SHARED_BYTES = 1 << 14 }; /* that are copied at a time */

struct caucus_engine;

struct caucus_shared_probe {
    struct caucus_engine *engine;
    bool first;     /* measures; the other one answers, and gets no figures */
    double seconds; /* that a measurement may take */
    struct caucus_shared_line *mine, *other; /* zero to begin with, lines of their own */
    int64_t round;                           /* so many were; 0 to begin with */
    char *shared, *own;                      /* CAUCUS_SHARED_BYTES of each */
};

struct caucus_shared_line {
    _Atomic int64_t flag;
    double copied; /* seconds that this rank's copy has taken in the round */
};

/* From raising a flag until the other rank sees it. */
double caucus_shared_signal(struct caucus_shared_probe *probe);

/* A byte's time where one rank copies in and the other one out, the mean of both. */
double caucus_shared_copy(struct caucus_shared_probe *probe);

#endif
