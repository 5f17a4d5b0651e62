/* SPDX-License-Identifier: BSD-3-Clause */
/* How long polls have been in vain, for a program that polls in the place of waiting. Time in which
 * it did something else counts little: else one that polls once a minute would seem to wait. */
#ifndef CAUCUS_RUN_SUPPORT_POLLS_H
#define CAUCUS_RUN_SUPPORT_POLLS_H

#include <stdbool.h>

/* All zero to begin with, and whenever a poll was not in vain. Seconds. */
struct caucus_polls {
    double last, waited;
};

enum { CAUCUS_POLLS_LEAST = 8 }; /* before they are found too long */

/* One more was in vain, now: whether they have been for longer than timeout. */
static inline bool caucus_polls_too_long(struct caucus_polls *polls, double now, double timeout) {
    double most = timeout / CAUCUS_POLLS_LEAST;
    if (polls->last > 0)
        polls->waited += now - polls->last < most ? now - polls->last : most;
    polls->last = now;
    return polls->waited > timeout;
}

#endif
