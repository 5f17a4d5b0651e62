/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/runs.h"

#include "api/calls/counters.h"
#include "api/calls/reasons.h"

#include <string.h>

static _Thread_local enum caucus_call current = CAUCUS_CALL_COUNT;

void caucus_runs_are_for(enum caucus_call call) {
    if (caucus_counters_is_wanted())
        current = call;
}

/* prepared->name is "allreduce by ring". */
static const char *algorithm_of(const struct caucus_prepared *prepared) {
    const char *by = strstr(prepared->name, " by ");
    return by ? by + 4 : prepared->name;
}

/* Messages to other ranks, and what is put into memory that others read. */
static int64_t bytes_of(const struct caucus_schedule *schedule) {
    int64_t bytes = 0;
    for (int64_t i = 0; i < schedule->count; i++) {
        const struct caucus_operation *operation = &schedule->operations[i];
        bool shared =
            operation->target == CAUCUS_BUFFER_LINE || operation->target == CAUCUS_BUFFER_NODE;
        bool writes =
            operation->kind == CAUCUS_OPERATION_COPY || operation->kind == CAUCUS_OPERATION_REDUCE;
        if (operation->kind == CAUCUS_OPERATION_SEND || (shared && writes))
            bytes += operation->length;
    }
    return bytes;
}

void caucus_runs_count_call(enum caucus_call call, const struct caucus_prepared *prepared,
                            bool between) {
    if (!caucus_counters_is_wanted())
        return;
    caucus_call_count(call, algorithm_of(prepared));
    if (between)
        caucus_counters_add_between(call);
}

void caucus_runs_count_run(enum caucus_call call, const struct caucus_prepared *prepared) {
    if (caucus_counters_is_wanted())
        caucus_counters_add_bytes(call, bytes_of(&prepared->schedule));
}

void caucus_runs_count_both(enum caucus_call call, const struct caucus_prepared *prepared,
                            bool between) {
    caucus_runs_count_call(call, prepared, between);
    caucus_runs_count_run(call, prepared);
}

void caucus_runs_count_own(const struct caucus_prepared *prepared, bool between) {
    if (caucus_counters_is_wanted() && current != CAUCUS_CALL_COUNT)
        caucus_runs_count_both(current, prepared, between);
}

void caucus_runs_count_left(void) {
    if (caucus_counters_is_wanted() && current != CAUCUS_CALL_COUNT)
        caucus_call_pass(current, CAUCUS_REASON_MEASURED);
}
