/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that moves our requests on while others are within MPI: only where MPI serves several
 * threads at a time. It works while any of ours is active and any thread may wait within MPI,
 * whichever came first, and sleeps at other times. */
#ifndef CAUCUS_API_INTERPOSITION_HELPER_H
#define CAUCUS_API_INTERPOSITION_HELPER_H

#include <stdbool.h>

/* Set when MPI is up, where there is to be one; before that, and without it, the others do nothing,
 * and cost nothing. */
extern bool caucus_helper_offered;

void caucus_helper_count_in(void);
void caucus_helper_count_out(void);
void caucus_helper_look(void);

/* Around a call of MPI's that may wait; calls of several threads overlap freely. */
static inline void caucus_helper_enter(void) {
    if (caucus_helper_offered)
        caucus_helper_count_in();
}

static inline void caucus_helper_leave(void) {
    if (caucus_helper_offered)
        caucus_helper_count_out();
}

/* After one of our requests became active. */
static inline void caucus_helper_started(void) {
    if (caucus_helper_offered)
        caucus_helper_look();
}

/* Before MPI_Finalize. There is none afterwards. */
void caucus_helper_end(void);

#endif
