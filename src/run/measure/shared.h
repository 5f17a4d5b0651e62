/* SPDX-License-Identifier: BSD-3-Clause */
/* What flags and copies in memory that two ranks share cost, and copies from one rank's memory to
 * the other's: each function is called by both at the
 * same time, and takes about as long as the probe allows, or a few rounds if these take longer.
 * Where MPI tells that a rank of the engine is dead, it ends with 0. */
#ifndef CAUCUS_RUN_MEASURE_SHARED_H
#define CAUCUS_RUN_MEASURE_SHARED_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CAUCUS_SHARED_BYTES = 1 << 14,  /* that are copied at a time, */
    CAUCUS_ONE_COPY_BYTES = 1 << 17 /* and by one copy, a half by each */
};

struct caucus_engine;

struct caucus_shared_probe {
    struct caucus_engine *engine;
    bool first;     /* measures; the other one answers, and gets no figures */
    double seconds; /* that a measurement may take */
    struct caucus_shared_line *mine, *other; /* zero to begin with, lines of their own */
    int64_t round;                           /* so many were; 0 to begin with */
    char *shared;                            /* CAUCUS_SHARED_BYTES */
    char *own;       /* CAUCUS_ONE_COPY_BYTES, mine->own for the other one */
    int64_t process; /* the other one's, where one copy is allowed */
};

struct caucus_shared_line {
    _Atomic int64_t flag;
    double copied; /* seconds that this rank's copy has taken in the round; 0: it was refused */
    uint64_t own;
};

/* From raising a flag until the other rank sees it. */
double caucus_shared_signal(struct caucus_shared_probe *probe);

/* A byte's time where one rank copies in and the other one out, the mean of both. */
double caucus_shared_copy(struct caucus_shared_probe *probe);

/* A byte's time in what the kernel copies from the first one's memory, which has just written it,
 * to the other one's, half of it at the call of each; 0 where it refuses. After either of the
 * others. */
double caucus_shared_one_copy(struct caucus_shared_probe *probe);

#endif
