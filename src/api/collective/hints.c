/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/hints.h"

#include "base/status.h"
#include "run/engine/engine.h"

#include <stdio.h>
#include <string.h>

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
    if (!status && *requests)
        status =
            caucus_context_read_requests(&hints->sending, "the info key caucus_requests", requests);
    if (status)
        return status;
    if (*memory && strcmp(memory, "0") != 0 && strcmp(memory, "1") != 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the info key caucus_shared_memory is '%s': it must be 0 or 1", memory);
    hints->shares_memory = context->engine->shares_memory && strcmp(memory, "0") != 0;
    snprintf(hints->agreed, sizeof hints->agreed, "%s%s", hints->forced,
             strcmp(memory, "0") == 0 ? ", caucus_shared_memory=0" : "");
    return CAUCUS_OK;
}
