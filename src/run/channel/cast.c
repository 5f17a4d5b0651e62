/* SPDX-License-Identifier: BSD-3-Clause */
/* Own messages, until all their pieces have been made. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <stdlib.h>

int caucus_channel_runner_begin_cast(struct caucus_channel_runner *runner, const void *bytes,
                                     int64_t length, bool copies, int64_t *sequence) {
    *sequence = -1;
    if (runner->status || !caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST))
        return CAUCUS_OK;
    struct caucus_channel_record *record = caucus_array(1, sizeof *record);
    if (record && copies)
        record->copy = caucus_array_copy(bytes, length, 1);
    if (!record || (copies && !record->copy)) {
        free(record);
        return CAUCUS_NO_MEMORY;
    }
    record->bytes = copies ? record->copy : bytes;
    record->sequence = runner->casts++;
    record->total = length;
    *sequence = record->sequence;
    runner->counts.casts++;
    runner->counts.cast_bytes += length;
    *(runner->last ? &runner->last->next : &runner->first) = record;
    runner->last = record;
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_CAST, &length);
    if (runner->setup.overlay.ranks == 1 && !runner->setup.total_order) { /* nobody hears it */
        free(record->copy);
        free(record);
        runner->first = runner->last = NULL;
    }
    return CAUCUS_OK;
}

static struct caucus_channel_record *owed(const struct caucus_channel_runner *runner,
                                          int64_t sequence) {
    struct caucus_channel_record *at = runner->first;
    while (at && at->sequence != sequence)
        at = at->next;
    return at && !at->copy ? at : NULL;
}

bool caucus_channel_runner_owes(const struct caucus_channel_runner *runner, int64_t sequence) {
    return owed(runner, sequence) != NULL;
}

void caucus_channel_runner_pay(struct caucus_channel_runner *runner, int64_t sequence) {
    struct caucus_channel_record *record = owed(runner, sequence);
    if (!record)
        return;
    record->copy = caucus_array_copy(record->bytes, record->total, 1);
    if (record->copy)
        record->bytes = record->copy;
    else
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
}
