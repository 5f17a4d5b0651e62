/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic accesses of an image (atomics.h), after some of which others go on. */
#include "world.h"

enum { MOST_IN_A_ROW = 1000 };
static int one_in, left; /* of the accesses; how many until the next */

/* The plainest choice is the longest stretch. */
static void begin_stretch(void) {
    left = 2 * one_in - draw(2 * one_in);
}

void atomics_begin(void) {
    static const int rates[] = {1024, 256, 64, 16, 4};
    if (settings.calls_only)
        return;
    one_in = rates[draw(5)];
    begin_stretch();
}

void world_atomic_access(void) {
    if (settings.calls_only || !self)
        return;
    if (++self->accesses > MOST_IN_A_ROW) { /* a loop that nothing but memory ends */
        look_in_vain("an atomic access");
    } else if (--left <= 0) {
        begin_stretch();
        give_way("an atomic access");
    }
}
