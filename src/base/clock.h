/* SPDX-License-Identifier: BSD-3-Clause */
/* The time that waits are measured by: no step of the machine's clock changes it. */
#ifndef CAUCUS_BASE_CLOCK_H
#define CAUCUS_BASE_CLOCK_H

#include <time.h>

static inline double caucus_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
