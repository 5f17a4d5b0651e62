/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/layout/pattern.h"

#include <stdlib.h>

void caucus_pattern_release(struct caucus_pattern *pattern) {
    if (!pattern || --pattern->references > 0)
        return;
    int64_t parts = pattern->kind == CAUCUS_PATTERN_SEQUENCE
                        ? pattern->count
                        : pattern->kind == CAUCUS_PATTERN_REPEAT;
    for (int64_t i = 0; i < parts; i++)
        caucus_pattern_release(pattern->part[i].pattern);
    free(pattern->part);
    free(pattern);
}
