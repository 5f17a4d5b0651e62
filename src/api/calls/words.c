/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/words.h"

#include "run/support/notice.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 40 };

static struct {
    bool given;
    int64_t words;
} held[CAUCUS_SETTING_COUNT];

/* The word's bit, by its place among those of the syntax; 0 for others. */
static int64_t bit_of(enum caucus_setting_id list, const char *word, size_t length) {
    const char *at = caucus_setting_entry(list)->syntax, *found;
    size_t known;
    for (int place = 0; (found = caucus_setting_next(&at, &known)); place++)
        if (known == length && strncmp(found, word, length) == 0)
            return INT64_C(1) << place;
    return 0;
}

int64_t caucus_words_own(enum caucus_setting_id list) {
    const char *at = caucus_setting_text(list), *found;
    int64_t words = 0;
    size_t length;
    while ((found = caucus_setting_next(&at, &length)))
        words |= bit_of(list, found, length);
    return words;
}

void caucus_words_hold(enum caucus_setting_id list, int64_t words) {
    held[list].given = true;
    held[list].words = words;
}

bool caucus_words_have(enum caucus_setting_id list, const char *word) {
    int64_t words = held[list].given ? held[list].words : caucus_words_own(list);
    return words && (words & bit_of(list, word, strlen(word)));
}

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

void caucus_words_warn(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        return;
    warn_of(CAUCUS_SETTING_DISABLE);
    warn_of(CAUCUS_SETTING_ENABLE);
}
