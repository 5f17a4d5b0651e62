/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/rank_text.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARK = '\x01', TEXT_SIZE = 4096 };

/* Writes what the rank is called; returns how long that is. */
static size_t name(struct caucus_reader reader, long rank, char *to, size_t size) {
    int written;
    if (reader.first_group == 0) {
        written = snprintf(to, size, "%ld", rank);
    } else {
        bool second = rank >= reader.first_group;
        bool remote = second != (reader.rank >= reader.first_group);
        written = snprintf(to, size, "%ld of the %s group",
                           second ? rank - reader.first_group : rank, remote ? "remote" : "local");
    }
    return written < 0 ? 0 : (size_t)written;
}

static void settle(struct caucus_reader reader, const char *text, char *to, size_t size) {
    size_t at = 0;
    while (*text && at + 1 < size) {
        if (*text == MARK) {
            char *end;
            long rank = strtol(text + 1, &end, 10);
            at += end > text + 1 ? name(reader, rank, to + at, size - at) : 0;
            text = end > text + 1 ? end : text + 1;
        } else {
            to[at++] = *text++;
        }
    }
    to[at < size ? at : size - 1] = '\0';
}

void caucus_rank_text_settle_in(struct caucus_reader reader, char *text, size_t size) {
    char settled[TEXT_SIZE];
    if (!strchr(text, MARK))
        return;
    settle(reader, text, settled, sizeof settled);
    snprintf(text, size, "%s", settled);
}

void caucus_rank_text_settle(struct caucus_reader reader) {
    char settled[TEXT_SIZE];
    if (!strchr(caucus_error_text(), MARK))
        return;
    settle(reader, caucus_error_text(), settled, sizeof settled);
    caucus_fail(CAUCUS_OK, "%s", settled);
}
