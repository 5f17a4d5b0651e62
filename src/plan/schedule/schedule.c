/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/schedule/schedule.h"

#include <stdlib.h>

void caucus_schedule_free(struct caucus_schedule *schedule) {
    free(schedule->operations);
    *schedule = (struct caucus_schedule){0};
}
