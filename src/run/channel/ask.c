/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers that climb, and the flush, which waits for those of the protocol alone. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <stdlib.h>

void caucus_channel_runner_merge(struct caucus_channel_runner *runner, int64_t origin,
                                 const void *answer) {
    int64_t bytes = runner->user.answer_bytes;
    if (!runner->answers || origin < 0 || origin >= runner->setup.overlay.ranks)
        return;
    void **all = &runner->answers[origin];
    if (*all)
        runner->user.combine(runner->user.context, *all, answer);
    else
        *all = caucus_array_copy(answer, bytes, 1);
    if (!*all)
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
}

/* With what was answered so far; nothing is left of it here. */
static void send_answers(struct caucus_channel_runner *runner, int32_t to,
                         const struct caucus_channel_message *message) {
    void **answer = runner->answers ? &runner->answers[message->number[0]] : NULL;
    bool any = answer && *answer;
    caucus_channel_runner_control(runner, to, message, any ? *answer : NULL,
                                  any ? runner->user.answer_bytes : 0);
    if (any) {
        free(*answer);
        *answer = NULL;
    }
}

void caucus_channel_runner_send_answers(struct caucus_channel_runner *runner, int32_t to,
                                        const struct caucus_channel_message *message) {
    struct caucus_channel_handing *handing = &runner->handing;
    if (!handing->on) {
        send_answers(runner, to, message);
        return;
    }
    struct caucus_channel_answered *list =
        caucus_array_grow(handing->answered, handing->count, &handing->room, sizeof *list);
    if (!caucus_channel_runner_good(runner, list ? CAUCUS_OK : CAUCUS_NO_MEMORY))
        return;
    handing->answered = list;
    list[handing->count++] = (struct caucus_channel_answered){to, *message};
}

void caucus_channel_runner_begin_handing(struct caucus_channel_runner *runner) {
    runner->handing.on = true;
}

void caucus_channel_runner_end_handing(struct caucus_channel_runner *runner) {
    struct caucus_channel_handing *handing = &runner->handing;
    handing->on = false;
    for (int64_t i = 0; i < handing->count && !runner->status; i++)
        send_answers(runner, handing->answered[i].to, &handing->answered[i].message);
    handing->count = 0;
}

/* What asks comes whole. */
void caucus_channel_runner_answer(struct caucus_channel_runner *runner,
                                  const struct caucus_channel_taken *taken) {
    int64_t origin = taken->delivered.origin;
    void *answer = caucus_array(runner->user.answer_bytes, 1);
    if (!answer) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    runner->user.answer(runner->user.context, &taken->delivered, answer);
    if (taken->delivered.early)
        caucus_channel_allreduce_contribute(runner, taken->delivered.origin,
                                            taken->delivered.number, answer);
    else
        caucus_channel_runner_merge(runner, origin, answer);
    free(answer);
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_ANSWER, &origin);
}

void caucus_channel_runner_collect(struct caucus_channel_runner *runner, void *answer) {
    void **all = runner->answers ? &runner->answers[runner->rank] : NULL;
    if (!all || !*all)
        return;
    runner->user.combine(runner->user.context, answer, *all);
    free(*all);
    *all = NULL;
}

bool caucus_channel_runner_is_waited_for(const struct caucus_channel_runner *runner) {
    return caucus_channel_runner_may_receive(runner) ||
           (runner->owed && caucus_channel_runner_is_mine_to_receive(runner));
}

int caucus_channel_runner_fail_waited_for(void) {
    return caucus_fail(CAUCUS_PENDING, "others may wait for this rank: receive and answer what has "
                                       "come, then call this again");
}

static const int64_t bit = (int64_t)1 << CAUCUS_CHANNEL_ASK;

/* Whoever began it came back, and may not come again. */
void caucus_channel_runner_settle_flush(struct caucus_channel_runner *runner) {
    if (runner->asking && runner->asked_again && (runner->decided & bit))
        runner->asking = runner->asked_again = false;
}

/* All that others need for it is room. An earlier call that came back may have begun it; then it
 * serves only those casts that were made before. */
static int flush(struct caucus_channel_runner *runner) {
    const int64_t casts = runner->counts.casts;
    int64_t sequence = -1;
    bool mine = runner->asking && runner->asked_again;
    struct caucus_channel_wait wait = {.round = 0};
    runner->asked_again = false;
    for (int64_t round = 0; !runner->status; round++) {
        int status = CAUCUS_OK;
        if (!mine)
            caucus_channel_runner_settle_flush(runner);
        if (!mine && !runner->asking) {
            runner->decided &= ~bit;
            status = caucus_channel_runner_begin(runner, CAUCUS_CHANNEL_FLUSH, NULL, 0, false,
                                                 &sequence);
            mine = runner->asking = sequence >= 0;
            runner->flushed = mine ? runner->counts.casts : runner->flushed;
            if (!status && !mine && round)
                status = caucus_channel_runner_check_room(runner);
        }
        if (status)
            return status;
        if (mine && (runner->decided & bit)) {
            mine = runner->asking = false;
            if (runner->flushed >= casts)
                return CAUCUS_OK;
            continue;
        }
        caucus_channel_runner_advance(runner);
        if (!mine && runner->allreduce.stage && caucus_channel_runner_is_waited_for(runner))
            return caucus_channel_runner_fail_waited_for();
        if (mine && !(runner->decided & bit) && caucus_channel_runner_must_receive(runner)) {
            runner->asked_again = true;
            return caucus_channel_runner_fail_waited_for();
        }
        if (round)
            caucus_channel_runner_wait(runner, &wait);
    }
    return caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_flush(struct caucus_channel_runner *runner) {
    caucus_channel_runner_lock(runner);
    int status = flush(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}
