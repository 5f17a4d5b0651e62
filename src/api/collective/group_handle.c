/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/group_handle.h"

#include "base/status.h"

int caucus_group_check(caucus_group group) {
    return group ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_ARGUMENT, "the group is CAUCUS_GROUP_NULL");
}

int caucus_group_conclude(caucus_group group, const char *function, int status) {
    return caucus_context_raise(group ? group->context : NULL, false, function, status);
}
