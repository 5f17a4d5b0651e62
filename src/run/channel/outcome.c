/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/channel/outcome.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In place of the casts that a message has: below 0. Even: all have contributed. */
static int64_t mark_of(const struct caucus_channel_runner *runner) {
    return -2 * runner->reduction.number - caucus_channel_outcome_is_early(runner);
}

/* Behind the answer: how many have contributed, and unless all have, who. */
static int64_t outcome_bytes(const struct caucus_channel_runner *runner, bool early) {
    return runner->user.answer_bytes + (int64_t)sizeof(int32_t) +
           (early ? (runner->setup.overlay.ranks + 7) / 8 : 0);
}

static unsigned char *byte_of(const struct caucus_channel_runner *runner, unsigned char *outcome,
                              int32_t rank) {
    return outcome + runner->user.answer_bytes + (int64_t)sizeof(int32_t) + rank / 8;
}

static bool is_in(const struct caucus_channel_runner *runner, unsigned char *outcome,
                  int32_t rank) {
    return *byte_of(runner, outcome, rank) >> rank % 8 & 1;
}

int caucus_channel_outcome_reserve(struct caucus_channel_runner *runner) {
    struct caucus_channel_reduction *own = &runner->reduction;
    own->outcome = caucus_array(outcome_bytes(runner, true), 1);
    if (!runner->user.deliver)
        own->due = caucus_array(runner->setup.overlay.ranks, sizeof *own->due);
    return own->outcome && (own->due || runner->user.deliver) ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_channel_outcome_free(struct caucus_channel_runner *runner) {
    free(runner->reduction.outcome);
    free(runner->reduction.due);
}

bool caucus_channel_outcome_is_early(const struct caucus_channel_runner *runner) {
    return runner->reduction.quorum < runner->setup.overlay.ranks;
}

static void include(struct caucus_channel_runner *runner, int32_t rank) {
    struct caucus_channel_reduction *own = &runner->reduction;
    *byte_of(runner, own->outcome, rank) |= (unsigned char)(1 << rank % 8);
    own->contributions++;
}

static void fix(struct caucus_channel_runner *runner) {
    struct caucus_channel_reduction *own = &runner->reduction;
    memcpy(own->outcome + runner->user.answer_bytes, &own->contributions,
           sizeof own->contributions);
    own->stage = CAUCUS_CHANNEL_FIXED;
}

static bool may_open(const struct caucus_channel_runner *runner) {
    const struct caucus_channel_reduction *own = &runner->reduction;
    return !runner->status && !own->stage && !own->kept && !runner->asking && !runner->closing &&
           !runner->bundle.casts && caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_ASK);
}

static int open(struct caucus_channel_runner *runner, int32_t quorum, const void *bytes,
                int64_t length, const void *answer, bool *opened) {
    struct caucus_channel_reduction *own = &runner->reduction;
    *opened = false;
    caucus_channel_runner_enter_bundle(runner); /* which goes first */
    if (!may_open(runner))
        return CAUCUS_OK;
    unsigned char *copy = caucus_array_copy(bytes, length, 1);
    if (!copy)
        return CAUCUS_NO_MEMORY;
    memset(own->outcome, 0, (size_t)outcome_bytes(runner, true));
    memcpy(own->outcome, answer, (size_t)runner->user.answer_bytes);
    own->stage = CAUCUS_CHANNEL_ASKED;
    own->number++;
    own->quorum = quorum;
    own->contributions = 0;
    include(runner, runner->rank);
    int status = caucus_channel_runner_enter(runner, CAUCUS_CHANNEL_ASK, copy, copy, length,
                                             mark_of(runner));
    if (status) {
        free(copy);
        own->stage = CAUCUS_CHANNEL_IDLE;
        own->number--;
        return status;
    }
    runner->counts.casts++;
    runner->counts.cast_bytes += length;
    if (caucus_channel_outcome_is_early(runner) && own->contributions >= quorum)
        fix(runner);
    *opened = true;
    return CAUCUS_OK;
}

void caucus_channel_outcome_decided(struct caucus_channel_runner *runner) {
    struct caucus_channel_reduction *own = &runner->reduction;
    if (own->stage != CAUCUS_CHANNEL_ASKED || caucus_channel_outcome_is_early(runner))
        return;
    caucus_channel_runner_collect(runner, own->outcome);
    own->contributions = runner->setup.overlay.ranks;
    fix(runner);
}

void caucus_channel_outcome_contribute(struct caucus_channel_runner *runner, int32_t origin,
                                       int64_t number, const void *answer) {
    struct caucus_channel_message message = {.kind = CAUCUS_CHANNEL_CONTRIBUTION};
    message.number[0] = number;
    caucus_channel_runner_control(runner, origin, &message, answer, runner->user.answer_bytes);
}

void caucus_channel_outcome_hear(struct caucus_channel_runner *runner, int32_t peer, int64_t number,
                                 const void *answer, int64_t length) {
    struct caucus_channel_reduction *own = &runner->reduction;
    if (own->stage != CAUCUS_CHANNEL_ASKED || !caucus_channel_outcome_is_early(runner) ||
        number != own->number || length != runner->user.answer_bytes ||
        is_in(runner, own->outcome, peer))
        return;
    runner->user.combine(runner->user.context, own->outcome, answer);
    include(runner, peer);
    if (own->contributions >= own->quorum)
        fix(runner);
}

void caucus_channel_outcome_pass(struct caucus_channel_runner *runner) {
    struct caucus_channel_reduction *own = &runner->reduction;
    if (runner->status || own->stage != CAUCUS_CHANNEL_FIXED)
        return;
    caucus_channel_runner_enter_bundle(runner);
    if (runner->bundle.casts || !caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST))
        return;
    int64_t length = outcome_bytes(runner, caucus_channel_outcome_is_early(runner));
    unsigned char *copy = caucus_array_copy(own->outcome, length, 1);
    int status = copy ? caucus_channel_runner_enter(runner, CAUCUS_CHANNEL_CAST, copy, copy, length,
                                                    mark_of(runner))
                      : CAUCUS_NO_MEMORY;
    if (status) { /* others wait for it */
        free(copy);
        caucus_channel_runner_good(runner, status);
        return;
    }
    runner->counts.casts++;
    runner->counts.cast_bytes += runner->user.answer_bytes;
    own->stage = runner->setup.total_order ? CAUCUS_CHANNEL_IDLE : CAUCUS_CHANNEL_TOLD;
}

int64_t caucus_channel_outcome_waits(const struct caucus_channel_runner *runner) {
    return runner->reduction.stage == CAUCUS_CHANNEL_TOLD ? runner->user.answer_bytes : -1;
}

bool caucus_channel_outcome_take(struct caucus_channel_runner *runner,
                                 struct caucus_channel_taken *taken) {
    struct caucus_channel_reduction *own = &runner->reduction;
    if (runner->status || own->stage != CAUCUS_CHANNEL_TOLD)
        return false;
    int64_t length = outcome_bytes(runner, true);
    void *copy = caucus_array_copy(own->outcome, length, 1);
    if (!copy) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return false;
    }
    *taken = (struct caucus_channel_taken){
        .delivered = {.origin = runner->rank, .bytes = copy, .length = length, .total = length},
        .memory = copy};
    caucus_channel_outcome_read(runner, mark_of(runner), &taken->delivered);
    own->stage = CAUCUS_CHANNEL_IDLE;
    return true;
}

void caucus_channel_outcome_read(const struct caucus_channel_runner *runner, int64_t mark,
                                 struct caucus_channel_delivered *delivered) {
    if (mark >= 0)
        return;
    delivered->number = -mark / 2;
    delivered->early = -mark & 1;
    if (delivered->asks)
        return;
    unsigned char *outcome = (unsigned char *)(uintptr_t)delivered->bytes;
    memcpy(&delivered->contributions, outcome + runner->user.answer_bytes,
           sizeof delivered->contributions);
    delivered->outcome = true;
    delivered->included = !delivered->early || is_in(runner, outcome, runner->rank);
    delivered->length = delivered->total = runner->user.answer_bytes;
}

void caucus_channel_outcome_received(struct caucus_channel_runner *runner,
                                     const struct caucus_channel_delivered *delivered) {
    int64_t *due = runner->reduction.due, origin = delivered->origin;
    runner->owed += delivered->asks;
    if (delivered->asks)
        due[origin] = delivered->early ? delivered->number : CAUCUS_CHANNEL_DUE_TO_ALL;
    if (delivered->asks && delivered->early)
        caucus_channel_runner_call(runner, CAUCUS_CHANNEL_ANSWER, &origin);
    if (delivered->outcome && due[origin] == delivered->number) {
        due[origin] = 0;
        runner->owed--;
    }
}

bool caucus_channel_outcome_reply(struct caucus_channel_runner *runner, int32_t origin,
                                  const void *answer) {
    int64_t *due = runner->reduction.due, number = origin;
    if (!due || origin < 0 || origin >= runner->setup.overlay.ranks || !due[origin])
        return false;
    if (due[origin] == CAUCUS_CHANNEL_DUE_TO_ALL) {
        caucus_channel_runner_merge(runner, origin, answer);
        caucus_channel_runner_call(runner, CAUCUS_CHANNEL_ANSWER, &number);
    } else {
        caucus_channel_outcome_contribute(runner, origin, due[origin], answer);
    }
    due[origin] = 0;
    runner->owed--;
    return true;
}

bool caucus_channel_outcome_explain(const struct caucus_channel_runner *runner, char *text,
                                    int64_t size) {
    const struct caucus_channel_reduction *own = &runner->reduction;
    if (own->stage != CAUCUS_CHANNEL_ASKED || !caucus_channel_outcome_is_early(runner))
        return false;
    int32_t first = 0;
    while (first + 1 < runner->setup.overlay.ranks && is_in(runner, own->outcome, first))
        first++;
    snprintf(text, (size_t)size,
             "%d of the %d contributions that it takes have come, and none from rank %d",
             (int)own->contributions, (int)own->quorum, (int)first);
    return true;
}

static int reduce(struct caucus_channel_runner *runner, int32_t quorum, const void *bytes,
                  int64_t length, void *answer) {
    struct caucus_channel_reduction *own = &runner->reduction;
    bool mine = own->kept && own->again;
    struct caucus_channel_wait wait = {.round = 0};
    own->again = false;
    for (int64_t round = 0; !runner->status; round++) {
        int status = CAUCUS_OK;
        if (!mine) {
            status = open(runner, quorum, bytes, length, answer, &mine);
            own->kept = own->kept || mine;
        }
        if (!status && !mine && round)
            status = caucus_channel_runner_check_room(runner);
        if (status)
            return status;
        caucus_channel_runner_advance(runner);
        if (mine && !runner->status && own->stage == CAUCUS_CHANNEL_IDLE) {
            memcpy(answer, own->outcome, (size_t)runner->user.answer_bytes);
            own->kept = false;
            return CAUCUS_OK;
        }
        if (caucus_channel_runner_is_waited_for(runner)) {
            own->again = mine;
            return caucus_channel_runner_fail_waited_for();
        }
        if (round)
            caucus_channel_runner_wait(runner, &wait);
    }
    return caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_reduce(struct caucus_channel_runner *runner, int32_t quorum,
                                 const void *bytes, int64_t length, void *answer) {
    caucus_channel_runner_lock(runner);
    int status = reduce(runner, quorum, bytes, length, answer);
    caucus_channel_runner_unlock(runner);
    return status;
}

int caucus_channel_runner_try_reduce(struct caucus_channel_runner *runner, int32_t quorum,
                                     const void *bytes, int64_t length, const void *answer,
                                     bool *opened) {
    caucus_channel_runner_lock(runner);
    if (!caucus_channel_runner_is_inside(runner))
        caucus_channel_runner_advance(runner);
    int status = open(runner, quorum, bytes, length, answer, opened);
    if (!status)
        status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}
