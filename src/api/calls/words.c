/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/words.h"

#include "base/settings.h"
#include "run/support/notice.h"

#include <mpi.h>
#include <stdio.h>

enum { WORD = 40 };

static void warn_of(enum caucus_setting_id id) {
    const struct caucus_setting *entry = caucus_setting_entry(id);
    const char *at = caucus_setting_text(id), *found;
    char word[WORD + 1], text[400];
    size_t length;
    while ((found = caucus_setting_next(&at, &length))) {
        snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD), found);
        if (length <= WORD && caucus_setting_has_word(id, word))
            continue;
        snprintf(text, sizeof text, "warning: %s has '%s', which is ignored: it must be %s",
                 entry->environment, word, entry->syntax);
        caucus_notice(text);
    }
}

void caucus_calls_warn_words(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        return;
    warn_of(CAUCUS_SETTING_DISABLE);
    warn_of(CAUCUS_SETTING_ENABLE);
}
