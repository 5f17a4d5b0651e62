/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/leave.h"

static _Thread_local bool is_allowed, is_noted;

void caucus_leave_allow(bool allowed) {
    is_allowed = allowed;
    is_noted = false;
}

void caucus_leave_note(void) {
    is_noted = true;
}

bool caucus_leave_is_noted(void) {
    return is_noted;
}

bool caucus_leave_is_allowed(void) {
    return is_allowed;
}
