/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/section.h"

#include "base/status.h"

static char section;

void *caucus_array_section(void) {
    return &section;
}

int caucus_check_section(const void *buffer, const char *name) {
    return buffer == &section
               ? caucus_fail(CAUCUS_BAD_BUFFER,
                             "%s is a section of an array that is not contiguous in memory: pass "
                             "a copy of it, or the whole array with a datatype that has the gaps",
                             name)
               : CAUCUS_OK;
}
