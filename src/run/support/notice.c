/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/notice.h"

#include <stdio.h>

void caucus_notice(const char *text) {
    fprintf(stderr, "caucus: %s\n", text);
}
