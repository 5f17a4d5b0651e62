/* SPDX-License-Identifier: BSD-3-Clause */
/* Own messages: getting in, and until all their pieces have been made. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <stdlib.h>

int caucus_channel_runner_begin(struct caucus_channel_runner *runner, int64_t call,
                                const void *bytes, int64_t length, bool copies, int64_t *sequence) {
    bool flushes = call == CAUCUS_CHANNEL_FLUSH;
    bool heard = runner->setup.overlay.ranks > 1 || (runner->setup.total_order && !flushes);
    *sequence = -1;
    if (runner->status || !caucus_channel_runner_hears(runner, call))
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
    runner->counts.casts += !flushes;
    runner->counts.cast_bytes += length;
    if (heard) {
        *(runner->last ? &runner->last->next : &runner->first) = record;
        runner->last = record;
    } else {
        free(record->copy);
        free(record);
    }
    caucus_channel_runner_call(runner, call, &length);
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

int caucus_channel_runner_check_room(const struct caucus_channel_runner *runner) {
    if (caucus_channel_rests(runner->state) && !runner->settling)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "this rank has said that it waits for quiet: before it casts it must "
                           "have received a message, or have been told that all is quiet");
    if (caucus_channel_runner_must_receive(runner))
        return caucus_fail(CAUCUS_PENDING,
                           "nothing was cast: there is no room for it, and none in the inbox of "
                           "%lld bytes for what comes: receive something first",
                           (long long)runner->user.inbox);
    return CAUCUS_OK;
}

/* Whether a caster waits for room. */
static void stall(struct caucus_channel_runner *runner, bool waits, double *since) {
    if (waits && *since == 0) {
        *since = caucus_channel_seconds();
        runner->counts.stalls++;
    } else if (!waits && *since != 0) {
        runner->counts.stalled_seconds += caucus_channel_seconds() - *since;
        *since = 0;
    }
}

static int cast(struct caucus_channel_runner *runner, const void *bytes, int64_t length) {
    int64_t sequence = -1;
    int status = CAUCUS_OK;
    double stalled = 0; /* since when */
    struct caucus_channel_wait wait = {.round = 0};
    for (int64_t round = 0; !runner->status; round++) {
        if (sequence < 0)
            status = caucus_channel_runner_begin(runner, CAUCUS_CHANNEL_CAST, bytes, length, false,
                                                 &sequence);
        stall(runner, status == CAUCUS_OK && sequence < 0, &stalled);
        if (sequence >= 0 && !caucus_channel_runner_owes(runner, sequence))
            break;
        if (!status && sequence < 0 && round)
            status = caucus_channel_runner_check_room(runner);
        if (status)
            break;
        caucus_channel_runner_advance(runner);
        if (sequence >= 0 && caucus_channel_runner_must_receive(runner))
            caucus_channel_runner_pay(runner, sequence);
        if (round)
            caucus_channel_runner_wait(runner, &wait);
    }
    stall(runner, false, &stalled);
    return status ? status : caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_cast(struct caucus_channel_runner *runner, const void *bytes,
                               int64_t length) {
    caucus_channel_runner_lock(runner);
    int status = cast(runner, bytes, length);
    caucus_channel_runner_unlock(runner);
    return status;
}

int caucus_channel_runner_try_cast(struct caucus_channel_runner *runner, const void *bytes,
                                   int64_t length, bool *accepted) {
    int64_t sequence;
    caucus_channel_runner_lock(runner);
    if (!caucus_channel_runner_is_inside(runner))
        caucus_channel_runner_advance(runner);
    int status =
        caucus_channel_runner_begin(runner, CAUCUS_CHANNEL_CAST, bytes, length, true, &sequence);
    *accepted = sequence >= 0;
    if (!status)
        status = caucus_channel_runner_tell(runner);
    runner->counts.refusals += !status && !*accepted;
    caucus_channel_runner_unlock(runner);
    return status;
}
