/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/levels.h"

#include "run/attachment/exchange.h"
#include "run/support/threads.h"

static bool some = true, all;

void caucus_levels_agree(const struct caucus_attachment *world) {
    bool several = caucus_threads_may();
    int64_t found[] = {several, !several};
    bool failed = caucus_max_all(world, found, 2);
    some = failed || found[0];
    all = !failed && !found[1];
}

bool caucus_levels_have_threads(void) {
    return some;
}

bool caucus_levels_differ(void) {
    return some && !all;
}
