/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/reasons.h"

#include "api/calls/levels.h"
#include "api/calls/words.h"

#include <stdio.h>

/* %s is the call's word in CAUCUS_DISABLE and CAUCUS_ENABLE. */
static const char *const texts[CAUCUS_REASONS] = {
    [CAUCUS_REASON_NOT_ENABLED] = "CAUCUS_ENABLE=%s would take it over",
    [CAUCUS_REASON_DISABLED] = "CAUCUS_DISABLE=%s",
    [CAUCUS_REASON_DISABLED_BETWEEN] = "CAUCUS_DISABLE=inter",
    [CAUCUS_REASON_ALL_DISABLED] = "CAUCUS_DISABLE=all",
    [CAUCUS_REASON_PASSED_BY] = "not every call of the program comes through the drop-in",
    [CAUCUS_REASON_LEVELS] = "some processes have MPI_THREAD_MULTIPLE, others do not",
    [CAUCUS_REASON_REORDER] = "reorder = 0",
    [CAUCUS_REASON_DIMENSIONS] = "more than 10 dimensions",
    [CAUCUS_REASON_UNATTACHED] = "its communicator was not attached where it was made",
    [CAUCUS_REASON_WORLDS] =
        "it spans more than one MPI_COMM_WORLD; CAUCUS_ENABLE=dynamic would take it over",
    [CAUCUS_REASON_MEASURED] = "MPI carries it out faster, as was measured",
    [CAUCUS_REASON_OTHER] = "a case that Caucus does not serve",
};

void caucus_reason_words(enum caucus_call call, enum caucus_reason reason,
                         char words[CAUCUS_REASON_WORDS]) {
    const char *word = caucus_call_word(call), *text = texts[reason], *gap = text;
    while (*gap && *gap != '%')
        gap++;
    snprintf(words, CAUCUS_REASON_WORDS, "%.*s%s%s", (int)(gap - text), text, *gap ? word : "",
             *gap ? gap + 2 : "");
}

enum caucus_reason caucus_reason_of(enum caucus_call call, bool between) {
    if (caucus_words_have(CAUCUS_SETTING_DISABLE, "all"))
        return CAUCUS_REASON_ALL_DISABLED;
    if (between && caucus_words_have(CAUCUS_SETTING_DISABLE, "inter"))
        return CAUCUS_REASON_DISABLED_BETWEEN;
    if (caucus_words_have(CAUCUS_SETTING_DISABLE, caucus_call_word(call)))
        return CAUCUS_REASON_DISABLED;
    if (caucus_call_is_passed_by(call))
        return caucus_levels_differ() ? CAUCUS_REASON_LEVELS : CAUCUS_REASON_PASSED_BY;
    return between ? CAUCUS_REASON_OTHER : CAUCUS_REASON_NOT_ENABLED;
}
