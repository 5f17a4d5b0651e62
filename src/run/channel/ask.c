/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions: answers that climb, and the one who waits for them. */
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

/* What asks comes whole. In a total order, members are told of their own questions too. */
void caucus_channel_runner_answer(struct caucus_channel_runner *runner,
                                  const struct caucus_channel_taken *taken) {
    int64_t origin = taken->delivered.origin;
    if (origin == runner->rank)
        return;
    void *answer = caucus_array(runner->user.answer_bytes, 1);
    if (!answer) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    runner->user.answer(runner->user.context, &taken->delivered, answer);
    caucus_channel_runner_merge(runner, origin, answer);
    free(answer);
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_ANSWER, &origin);
}

static const int64_t bit = (int64_t)1 << CAUCUS_CHANNEL_ASK;

/* Unless it was cast by an earlier call that came back. */
static int begin(struct caucus_channel_runner *runner, int64_t call, const void *bytes,
                 int64_t length, int64_t *sequence) {
    runner->decided &= ~bit;
    int status = caucus_channel_runner_begin(runner, call, bytes, length, false, sequence);
    runner->asking = *sequence >= 0;
    return status;
}

static void finish(struct caucus_channel_runner *runner, void *answer) {
    void **all = runner->answers ? &runner->answers[runner->rank] : NULL;
    runner->asking = false;
    if (!all || !*all)
        return;
    if (answer)
        runner->user.combine(runner->user.context, answer, *all);
    free(*all);
    *all = NULL;
}

/* Who asks may be waited for by others who ask; for a flush all others need is room. */
static bool is_waited_for(const struct caucus_channel_runner *runner, int64_t call) {
    return call == CAUCUS_CHANNEL_FLUSH ? caucus_channel_runner_must_receive(runner)
                                        : caucus_channel_runner_may_receive(runner) || runner->owed;
}

static int ask(struct caucus_channel_runner *runner, int64_t call, const void *bytes,
               int64_t length, void *answer) {
    int64_t sequence = -1;
    bool mine = runner->asking && runner->asked_again;
    struct caucus_channel_wait wait = {.round = 0};
    runner->asked_again = false;
    for (int64_t round = 0; !runner->status; round++) {
        int status = CAUCUS_OK;
        if (!mine && !runner->asking) {
            status = begin(runner, call, bytes, length, &sequence);
            mine = runner->asking;
            if (!status && !mine && round)
                status = caucus_channel_runner_check_room(runner);
        }
        if (status)
            return status;
        if (mine && (runner->decided & bit) && !caucus_channel_runner_owes(runner, sequence)) {
            finish(runner, answer);
            return CAUCUS_OK;
        }
        caucus_channel_runner_advance(runner);
        if (mine && !(runner->decided & bit) && is_waited_for(runner, call)) {
            runner->asked_again = true;
            return caucus_fail(CAUCUS_PENDING, "others may wait for this rank: receive and answer "
                                               "what has come, then call this again");
        }
        if (round)
            caucus_channel_runner_wait(runner, &wait);
    }
    return caucus_channel_runner_tell(runner);
}

int caucus_channel_runner_ask(struct caucus_channel_runner *runner, int64_t call, const void *bytes,
                              int64_t length, void *answer) {
    caucus_channel_runner_lock(runner);
    int status = ask(runner, call, bytes, length, answer);
    caucus_channel_runner_unlock(runner);
    return status;
}
