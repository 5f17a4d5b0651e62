/* SPDX-License-Identifier: BSD-3-Clause */
/* A wait within MPI for what moves on by ours and by MPI's. */
#ifndef CAUCUS_API_INTERPOSITION_PROGRESS_H
#define CAUCUS_API_INTERPOSITION_PROGRESS_H

#include <sched.h>

enum { CAUCUS_QUICK_LOOKS = 50 };

/* Between two looks: others may need the processor to make what is waited for. */
static inline void caucus_mixed_pause(int *looks) {
    if (++*looks > CAUCUS_QUICK_LOOKS)
        sched_yield();
}

#endif
