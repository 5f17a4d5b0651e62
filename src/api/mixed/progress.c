/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/mixed/progress.h"

#include "api/collective/queued.h"
#include "run/execution.h"

#include <sched.h>

enum { QUICK_LOOKS = 50 };

bool caucus_mixed_progress(void) {
    if (caucus_queued_any())
        caucus_queued_progress();
    return caucus_progress_all() > 0 || caucus_queued_any();
}

void caucus_mixed_pause(int *looks) {
    if (++*looks > QUICK_LOOKS)
        sched_yield();
}
