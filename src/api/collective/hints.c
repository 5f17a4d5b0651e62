/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/hints.h"

#include "base/status.h"
#include "run/engine/engine.h"

#include <stdio.h>
#include <string.h>

/* "": it is not given. */
static int check(enum caucus_setting_id id, const char *value) {
    const struct caucus_setting *entry = caucus_setting_entry(id);
    return !*value || caucus_setting_has_word(id, value)
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_ARGUMENT, "the info key %s is '%s': it must be %s",
                             entry->info_key, value, entry->syntax);
}

int caucus_hints_read(MPI_Info info, const struct caucus_context *context,
                      struct caucus_hints *hints) {
    char memory[CAUCUS_INFO_VALUE], requests[CAUCUS_INFO_VALUE] = "";
    hints->agreed[0] = '\0';
    hints->sending = context->settings.sending;
    int status = caucus_hint_read(info, CAUCUS_SETTING_ALGORITHM, hints->forced);
    if (!status)
        status = caucus_hint_read(info, CAUCUS_SETTING_SHARED_MEMORY, memory);
    if (!status)
        status = caucus_hint_read(info, CAUCUS_SETTING_REQUESTS, requests);
    if (!status)
        status = check(CAUCUS_SETTING_REQUESTS, requests);
    if (!status)
        status = check(CAUCUS_SETTING_SHARED_MEMORY, memory);
    if (status)
        return status;
    if (*requests)
        hints->sending = caucus_context_sending(requests);
    hints->shares_memory = context->engine->shares_memory && strcmp(memory, "0") != 0;
    snprintf(hints->agreed, sizeof hints->agreed, "%s%s", hints->forced,
             strcmp(memory, "0") == 0 ? ", caucus_shared_memory=0" : "");
    return CAUCUS_OK;
}
