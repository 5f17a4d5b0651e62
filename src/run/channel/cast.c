/* SPDX-License-Identifier: BSD-3-Clause */
/* Own messages: getting in, and until all their pieces have been made. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <limits.h>
#include <stdlib.h>

int caucus_channel_runner_queue(struct caucus_channel_runner *runner, const void *bytes,
                                struct caucus_channel_piece *copy, int64_t length, int64_t casts) {
    struct caucus_channel_record *record = caucus_array(1, sizeof *record);
    if (!record) {
        caucus_channel_runner_let_go(copy);
        return CAUCUS_NO_MEMORY;
    }
    record->copy = copy;
    record->bytes = copy ? copy->bytes + sizeof(struct caucus_channel_message) : bytes;
    record->sequence = runner->casts;
    record->total = length;
    record->casts = casts;
    *(runner->last ? &runner->last->next : &runner->first) = record;
    runner->last = record;
    return CAUCUS_OK;
}

void caucus_channel_runner_unqueue(struct caucus_channel_runner *runner) {
    struct caucus_channel_record *gone = runner->first;
    runner->first = gone->next;
    if (runner->last == gone)
        runner->last = NULL;
    caucus_channel_runner_let_go(gone->copy);
    free(gone);
}

static int keep_bytes(struct caucus_channel_runner *runner, const void *bytes, int64_t length,
                      int64_t casts, bool copies) {
    bool retains = caucus_channel_retains(runner);
    bool heard = runner->setup.overlay.ranks > 1 || runner->setup.total_order;
    struct caucus_channel_piece *copy = NULL;
    if (retains || (copies && heard)) {
        copy = caucus_channel_piece_whole(bytes, length, casts);
        if (!copy)
            return CAUCUS_NO_MEMORY;
    }
    if (retains)
        caucus_channel_retain(runner, runner->rank, copy);
    if (!heard) {
        caucus_channel_runner_let_go(copy);
        return CAUCUS_OK;
    }
    int status = caucus_channel_runner_queue(runner, bytes, copy, length, casts);
    if (retains) /* it has its number already */
        caucus_channel_runner_good(runner, status);
    return status;
}

/* A flush has no bytes, and nobody takes it. */
int caucus_channel_runner_enter(struct caucus_channel_runner *runner, int64_t call,
                                const void *bytes, int64_t length, int64_t casts, bool copies) {
    bool flushes = call == CAUCUS_CHANNEL_FLUSH;
    int status = flushes ? CAUCUS_OK : keep_bytes(runner, bytes, length, casts, copies);
    if (status)
        return status;
    runner->casts++;
    runner->own_taken += flushes;
    caucus_channel_runner_call(runner, call, &length);
    return CAUCUS_OK;
}

/* In a total order messages wait for their turn anyway: company takes nothing from casts behind the
 * two that do. */
static bool has_company(const struct caucus_channel_runner *runner) {
    return runner->setup.total_order && runner->casts - runner->own_taken >= 2;
}

void caucus_channel_runner_ask_for_room(struct caucus_channel_runner *runner, int64_t length) {
    if (!caucus_channel_retains(runner) || 2 * length < runner->retained.bytes ||
        !caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_FLUSH, 0))
        return;
    runner->makes_room = true;
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_FLUSH, NULL);
}

void caucus_channel_runner_enter_bundle(struct caucus_channel_runner *runner) {
    if (runner->status || !runner->bundle.casts)
        return;
    if (!caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST,
                                     caucus_channel_bundle_length(runner))) {
        caucus_channel_runner_ask_for_room(runner, caucus_channel_bundle_length(runner));
        return;
    }
    int64_t casts = runner->bundle.casts, length = caucus_channel_bundle_close(runner);
    int status = caucus_channel_runner_enter(runner, CAUCUS_CHANNEL_CAST, runner->bundle.bytes,
                                             length, casts, true);
    caucus_channel_runner_good(runner, status); /* casts that were accepted would be lost */
}

void caucus_channel_runner_pass_bundle(struct caucus_channel_runner *runner) {
    if (!has_company(runner))
        caucus_channel_runner_enter_bundle(runner);
}

/* Who waits for quiet casts nothing. */
static bool is_resting(const struct caucus_channel_runner *runner) {
    return runner->closing || caucus_channel_runner_rests(runner);
}

int caucus_channel_runner_check_length(const struct caucus_channel_runner *runner, int64_t length) {
    /* With two headers it is given in one message. */
    const int64_t most_given = INT_MAX - 2 * (int64_t)sizeof(struct caucus_channel_message);
    int64_t most = caucus_channel_longest_whole(&runner->setup);
    if (!caucus_channel_retains(runner) || length <= (most < most_given ? most : most_given))
        return CAUCUS_OK;
    if (most < most_given)
        return caucus_fail(CAUCUS_BAD_COUNT,
                           "length is %lld: on a channel that survives deaths it must be at most "
                           "options.memory (options.segment, if that is more): %lld",
                           (long long)length, (long long)most);
    return caucus_fail(CAUCUS_BAD_COUNT,
                       "length is %lld: on a channel that survives deaths it must be at most %lld, "
                       "however large options.memory is",
                       (long long)length, (long long)most_given);
}

int caucus_channel_runner_begin(struct caucus_channel_runner *runner, int64_t call,
                                const void *bytes, int64_t length, bool copies, int64_t *sequence) {
    bool may_wait = call == CAUCUS_CHANNEL_CAST && caucus_channel_bundle_fits(runner, length);
    bool waits = may_wait && has_company(runner);
    *sequence = -1;
    int status = caucus_channel_runner_check_length(runner, length);
    if (status)
        return status;
    caucus_channel_allreduce_pass(runner);
    if (!waits)
        caucus_channel_runner_enter_bundle(runner);
    if (runner->status || is_resting(runner) || runner->allreduce.stage == CAUCUS_CHANNEL_FIXED)
        return CAUCUS_OK;
    bool enters =
        !waits && !runner->bundle.casts && caucus_channel_runner_hears(runner, call, length);
    may_wait = call == CAUCUS_CHANNEL_CAST && caucus_channel_bundle_fits(runner, length);
    if (!enters && !may_wait) {
        caucus_channel_runner_ask_for_room(runner, length);
        return CAUCUS_OK;
    }
    int64_t number = runner->casts; /* of those in company: who asks for it owes nothing */
    status = enters ? caucus_channel_runner_enter(runner, call, bytes, length, 1, copies)
                    : caucus_channel_bundle_add(runner, bytes, length);
    if (status)
        return status;
    *sequence = number;
    runner->counts.casts += call != CAUCUS_CHANNEL_FLUSH;
    runner->counts.cast_bytes += length;
    return CAUCUS_OK;
}

static struct caucus_channel_record *owed(const struct caucus_channel_runner *runner,
                                          int64_t sequence) {
    struct caucus_channel_record *at = runner->first;
    while (at && at->sequence != sequence)
        at = at->next;
    return at && !at->copy ? at : NULL;
}

static bool owes(const struct caucus_channel_runner *runner, int64_t sequence) {
    return owed(runner, sequence) != NULL;
}

/* Copies what is owed. */
static void pay(struct caucus_channel_runner *runner, int64_t sequence) {
    struct caucus_channel_record *record = owed(runner, sequence);
    if (!record)
        return;
    record->copy = caucus_channel_piece_whole(record->bytes, record->total, record->casts);
    if (record->copy)
        record->bytes = record->copy->bytes + sizeof(struct caucus_channel_message);
    else
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
}

int caucus_channel_runner_check_room(const struct caucus_channel_runner *runner) {
    if (is_resting(runner) && !runner->settling)
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
        *since = caucus_seconds();
        runner->counts.stalls++;
    } else if (!waits && *since != 0) {
        runner->counts.stalled_seconds += caucus_seconds() - *since;
        *since = 0;
    }
}

/* Whether it is time that a caster looks for room for what waits in company: who does nothing but
 * cast, and that seldom, would not hear of it. In a storm others bring it in time. */
static bool is_time_to_look(struct caucus_channel_runner *runner) {
    static const double pause = 1e-3; /* seconds */
    int64_t casts = runner->bundle.casts;
    if (casts == 0 || (casts & (casts - 1)) != 0) /* the clock takes as long as a cast */
        return false;
    double now = caucus_seconds();
    bool time = now - runner->looked > pause;
    if (time)
        runner->looked = now;
    return time;
}

static int cast(struct caucus_channel_runner *runner, const void *bytes, int64_t length) {
    /* Else each would wait for its turn, and a rank could have but one under way. */
    bool copies = runner->setup.total_order && length <= runner->setup.segment;
    int64_t sequence = -1;
    int status = CAUCUS_OK;
    double stalled = 0; /* since when */
    struct caucus_channel_wait wait = {.round = 0};
    for (int64_t round = 0; !runner->status; round++) {
        if (sequence < 0)
            status = caucus_channel_runner_begin(runner, CAUCUS_CHANNEL_CAST, bytes, length, copies,
                                                 &sequence);
        stall(runner, status == CAUCUS_OK && sequence < 0, &stalled);
        if (sequence >= 0 && !owes(runner, sequence)) {
            if (is_time_to_look(runner))
                caucus_channel_runner_advance(runner);
            break;
        }
        if (!status && sequence < 0 && round)
            status = caucus_channel_runner_check_room(runner);
        if (status)
            break;
        caucus_channel_runner_advance(runner);
        if (sequence >= 0 && caucus_channel_runner_must_receive(runner))
            pay(runner, sequence);
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
    caucus_channel_runner_tried(runner, status || *accepted, length);
    if (!status)
        status = caucus_channel_runner_tell(runner);
    runner->counts.refusals += !status && !*accepted;
    caucus_channel_runner_unlock(runner);
    return status;
}
