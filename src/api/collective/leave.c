/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/leave.h"

static _Thread_local bool is_allowed;
static bool is_offered;

void caucus_leave_allow(bool allowed) {
    is_allowed = allowed;
}

bool caucus_leave_is_allowed(void) {
    return is_allowed;
}

void caucus_leave_offer(void) {
    is_offered = true;
}

bool caucus_leave_is_offered(void) {
    return is_offered;
}
