/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/channel/allreduce.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "run/channel/failures.h"
#include "run/channel/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In place of the casts that a message has: below 0. */
enum { EARLY = 1, ASKS = 2, SILENT = 4, NUMBERS = 8 };

/* Whether an open one ends before all have contributed. */
static bool is_early(const struct caucus_channel_runner *runner) {
    return runner->allreduce.quorum < runner->ranks || caucus_channel_retains(runner);
}

static int64_t mark_of(const struct caucus_channel_runner *runner, bool asks) {
    const struct caucus_channel_allreduce *own = &runner->allreduce;
    return -(NUMBERS * own->number + (is_early(runner) ? EARLY : 0) + (asks ? ASKS : 0) +
             (own->silent ? SILENT : 0));
}

bool caucus_channel_allreduce_asks(int64_t mark) {
    return mark < 0 && (-mark & ASKS) != 0;
}

/* Behind the answer: how many have contributed, and unless all have, who. */
static int64_t outcome_bytes(const struct caucus_channel_runner *runner, bool early) {
    return runner->user.answer_bytes + (int64_t)sizeof(int32_t) +
           (early ? (runner->ranks + 7) / 8 : 0);
}

static unsigned char *byte_of(const struct caucus_channel_runner *runner, unsigned char *outcome,
                              int32_t rank) {
    return outcome + runner->user.answer_bytes + (int64_t)sizeof(int32_t) + rank / 8;
}

static bool is_in(const struct caucus_channel_runner *runner, unsigned char *outcome,
                  int32_t rank) {
    return *byte_of(runner, outcome, rank) >> rank % 8 & 1;
}

int caucus_channel_allreduce_reserve(struct caucus_channel_runner *runner) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    own->outcome = caucus_array(outcome_bytes(runner, true), 1);
    if (!runner->user.deliver)
        own->due = caucus_array(runner->ranks, sizeof *own->due);
    return own->outcome && (own->due || runner->user.deliver) ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_channel_allreduce_free(struct caucus_channel_runner *runner) {
    free(runner->allreduce.outcome);
    free(runner->allreduce.due);
}

static void include(struct caucus_channel_runner *runner, int32_t rank) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    *byte_of(runner, own->outcome, rank) |= (unsigned char)(1 << rank % 8);
    own->contributions++;
}

static void fix(struct caucus_channel_runner *runner) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    memcpy(own->outcome + runner->user.answer_bytes, &own->contributions,
           sizeof own->contributions);
    own->stage = own->silent ? CAUCUS_CHANNEL_IDLE : CAUCUS_CHANNEL_FIXED;
}

/* Of the dead none is awaited. */
static void fix_if_enough(struct caucus_channel_runner *runner) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    bool enough = own->contributions >= own->quorum;
    if (!enough && caucus_channel_retains(runner)) {
        enough = true;
        for (int32_t rank = 0; rank < runner->ranks && enough; rank++)
            enough = is_in(runner, own->outcome, rank) ||
                     caucus_channel_failures_knows_dead(runner, rank);
    }
    if (enough)
        fix(runner);
}

/* Where deaths are survived a question is a cast: all answer who asked by themselves. */
static int64_t call_of(const struct caucus_channel_runner *runner) {
    return caucus_channel_retains(runner) ? CAUCUS_CHANNEL_CAST : CAUCUS_CHANNEL_ASK;
}

static bool may_open(const struct caucus_channel_runner *runner, int64_t length) {
    const struct caucus_channel_allreduce *own = &runner->allreduce;
    return !runner->status && !own->stage && !own->kept && !runner->asking && !runner->closing &&
           !runner->bundle.casts && caucus_channel_runner_hears(runner, call_of(runner), length);
}

static int open(struct caucus_channel_runner *runner, int32_t quorum, const void *bytes,
                int64_t length, const void *answer, bool silent, bool *opened) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    *opened = false;
    int status = caucus_channel_runner_check_length(runner, length);
    if (status)
        return status;
    caucus_channel_runner_settle_flush(runner);
    caucus_channel_runner_enter_bundle(runner); /* which goes first */
    if (!may_open(runner, length)) {
        caucus_channel_runner_ask_for_room(runner, length);
        return CAUCUS_OK;
    }
    memset(own->outcome, 0, (size_t)outcome_bytes(runner, true));
    memcpy(own->outcome, answer, (size_t)runner->user.answer_bytes);
    own->stage = CAUCUS_CHANNEL_ASKED;
    own->number++;
    own->quorum = quorum;
    own->silent = silent;
    own->contributions = 0;
    include(runner, runner->rank);
    status = caucus_channel_runner_enter(runner, call_of(runner), bytes, length,
                                         mark_of(runner, true), true);
    if (status) {
        own->stage = CAUCUS_CHANNEL_IDLE;
        own->number--;
        return status;
    }
    runner->counts.casts++;
    runner->counts.cast_bytes += length;
    if (is_early(runner))
        fix_if_enough(runner);
    *opened = true;
    return CAUCUS_OK;
}

void caucus_channel_allreduce_decided(struct caucus_channel_runner *runner) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    if (own->stage != CAUCUS_CHANNEL_ASKED || is_early(runner))
        return;
    caucus_channel_runner_collect(runner, own->outcome);
    own->contributions = runner->ranks;
    fix(runner);
}

void caucus_channel_allreduce_contribute(struct caucus_channel_runner *runner, int32_t origin,
                                         int64_t number, const void *answer) {
    struct caucus_channel_message message = {.kind = CAUCUS_CHANNEL_CONTRIBUTION};
    message.number[0] = number;
    caucus_channel_runner_control(runner, origin, &message, answer, runner->user.answer_bytes);
}

void caucus_channel_allreduce_hear(struct caucus_channel_runner *runner, int32_t peer,
                                   int64_t number, const void *answer, int64_t length) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    if (own->stage != CAUCUS_CHANNEL_ASKED || !is_early(runner) || number != own->number ||
        length != runner->user.answer_bytes || is_in(runner, own->outcome, peer))
        return;
    runner->user.combine(runner->user.context, own->outcome, answer);
    include(runner, peer);
    fix_if_enough(runner);
}

void caucus_channel_allreduce_pass(struct caucus_channel_runner *runner) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    if (own->stage == CAUCUS_CHANNEL_ASKED && caucus_channel_failures_has_deaths(runner))
        fix_if_enough(runner);
    if (runner->status || own->stage != CAUCUS_CHANNEL_FIXED)
        return;
    caucus_channel_runner_enter_bundle(runner);
    int64_t length = outcome_bytes(runner, is_early(runner));
    if (runner->bundle.casts)
        return;
    if (!caucus_channel_runner_hears(runner, CAUCUS_CHANNEL_CAST, length)) {
        caucus_channel_runner_ask_for_room(runner, length);
        return;
    }
    int status = caucus_channel_runner_enter(runner, CAUCUS_CHANNEL_CAST, own->outcome, length,
                                             mark_of(runner, false), true);
    if (!caucus_channel_runner_good(runner, status)) /* others wait for it */
        return;
    runner->counts.casts++;
    runner->counts.cast_bytes += runner->user.answer_bytes;
    own->stage = runner->setup.total_order ? CAUCUS_CHANNEL_IDLE : CAUCUS_CHANNEL_TOLD;
}

int64_t caucus_channel_allreduce_waits(const struct caucus_channel_runner *runner) {
    return runner->allreduce.stage == CAUCUS_CHANNEL_TOLD ? runner->user.answer_bytes : -1;
}

bool caucus_channel_allreduce_take(struct caucus_channel_runner *runner,
                                   struct caucus_channel_taken *taken) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
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
    caucus_channel_allreduce_read(runner, mark_of(runner, false), &taken->delivered);
    own->stage = CAUCUS_CHANNEL_IDLE;
    return true;
}

void caucus_channel_allreduce_read(const struct caucus_channel_runner *runner, int64_t mark,
                                   struct caucus_channel_delivered *delivered) {
    if (mark >= 0)
        return;
    delivered->number = -mark / NUMBERS;
    delivered->early = (-mark & EARLY) != 0;
    delivered->silent = (-mark & SILENT) != 0;
    delivered->asks = caucus_channel_allreduce_asks(mark);
    if (delivered->asks)
        return;
    unsigned char *outcome = (unsigned char *)(uintptr_t)delivered->bytes;
    memcpy(&delivered->contributions, outcome + runner->user.answer_bytes,
           sizeof delivered->contributions);
    delivered->outcome = true;
    delivered->included = !delivered->early || is_in(runner, outcome, runner->rank);
    delivered->length = delivered->total = runner->user.answer_bytes;
}

/* Nothing is due to it any more. */
static void settle(struct caucus_channel_runner *runner, int32_t origin) {
    runner->allreduce.due[origin] = 0;
    runner->owed--;
}

void caucus_channel_allreduce_received(struct caucus_channel_runner *runner,
                                       const struct caucus_channel_delivered *delivered) {
    int64_t *due = runner->allreduce.due, origin = delivered->origin;
    if (delivered->asks && !caucus_channel_failures_is_gone(runner, delivered->origin)) {
        runner->owed++;
        due[origin] = delivered->early ? delivered->number : CAUCUS_CHANNEL_DUE_TO_ALL;
    }
    if (delivered->asks && delivered->early)
        caucus_channel_runner_call(runner, CAUCUS_CHANNEL_ANSWER, &origin);
    if (delivered->outcome && due[origin] == delivered->number)
        settle(runner, delivered->origin);
}

void caucus_channel_allreduce_hear_death(struct caucus_channel_runner *runner, int32_t origin) {
    if (runner->allreduce.due && runner->allreduce.due[origin])
        settle(runner, origin);
}

bool caucus_channel_allreduce_reply(struct caucus_channel_runner *runner, int32_t origin,
                                    const void *answer) {
    int64_t *due = runner->allreduce.due, number = origin;
    if (!due || origin < 0 || origin >= runner->ranks)
        return false;
    if (!due[origin])
        return caucus_channel_failures_is_gone(runner, origin);
    if (due[origin] == CAUCUS_CHANNEL_DUE_TO_ALL) {
        caucus_channel_runner_merge(runner, origin, answer);
        caucus_channel_runner_call(runner, CAUCUS_CHANNEL_ANSWER, &number);
    } else if (!caucus_channel_failures_is_closed(runner)) { /* else nobody can need it any more */
        caucus_channel_allreduce_contribute(runner, origin, due[origin], answer);
    }
    settle(runner, origin);
    return true;
}

bool caucus_channel_allreduce_explain(const struct caucus_channel_runner *runner, char *text,
                                      int64_t size) {
    const struct caucus_channel_allreduce *own = &runner->allreduce;
    if (own->stage != CAUCUS_CHANNEL_ASKED || !is_early(runner))
        return false;
    int32_t first = 0;
    while (first + 1 < runner->ranks && (is_in(runner, own->outcome, first) ||
                                         caucus_channel_failures_knows_dead(runner, first)))
        first++;
    snprintf(text, (size_t)size,
             "rank %d has not contributed: %d of the %d contributions that it takes have come",
             (int)first, (int)own->contributions, (int)own->quorum);
    return true;
}

static uint64_t digest_of(const unsigned char *bytes, int64_t length) {
    uint64_t digest = (uint64_t)length;
    for (int64_t i = 0; i < length; i++)
        digest = caucus_mix(digest ^ bytes[i]);
    return digest;
}

/* Whether it is the question that came back; another thread may go on with it. */
static bool is_same(const struct caucus_channel_allreduce *own, int32_t quorum, const void *bytes,
                    int64_t length, bool silent) {
    return own->silent == silent && own->quorum == quorum && own->length == length &&
           own->digest == digest_of(bytes, length);
}

static int come_back(struct caucus_channel_allreduce *own, const void *bytes, int64_t length) {
    own->again = true;
    own->asker = pthread_self();
    own->length = length;
    own->digest = digest_of(bytes, length);
    return caucus_channel_runner_fail_waited_for();
}

static int reduce(struct caucus_channel_runner *runner, int32_t quorum, const void *bytes,
                  int64_t length, void *answer, bool silent) {
    struct caucus_channel_allreduce *own = &runner->allreduce;
    struct caucus_channel_wait wait = {.round = 0};
    bool came_back = own->kept && own->again;
    bool mine = came_back && is_same(own, quorum, bytes, length, silent);
    if (came_back && !mine && pthread_equal(own->asker, pthread_self()))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "this thread's last question or allreduce on the channel is under way: "
                           "call it again, with the same arguments, until it does not return "
                           "MPI_ERR_PENDING");
    own->again = own->again && !mine;
    for (int64_t round = 0; !runner->status; round++) {
        int status = CAUCUS_OK;
        if (!mine) {
            status = open(runner, quorum, bytes, length, answer, silent, &mine);
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
        if (caucus_channel_runner_is_waited_for(runner))
            return mine ? come_back(own, bytes, length) : caucus_channel_runner_fail_waited_for();
        if (round)
            caucus_channel_runner_wait(runner, &wait);
    }
    return caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_allreduce(struct caucus_channel_runner *runner, int32_t quorum,
                                    bool silent, const void *bytes, int64_t length, void *answer) {
    caucus_channel_runner_lock(runner);
    int status = reduce(runner, quorum, bytes, length, answer, silent);
    caucus_channel_runner_unlock(runner);
    return status;
}

int caucus_channel_runner_try_allreduce(struct caucus_channel_runner *runner, int32_t quorum,
                                        const void *bytes, int64_t length, const void *answer,
                                        bool *opened) {
    caucus_channel_runner_lock(runner);
    if (!caucus_channel_runner_is_inside(runner))
        caucus_channel_runner_advance(runner);
    int status = open(runner, quorum, bytes, length, answer, false, opened);
    caucus_channel_runner_tried(runner, status || *opened, length);
    if (!status)
        status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}
