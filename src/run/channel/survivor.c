/* SPDX-License-Identifier: BSD-3-Clause */
/* Channels that survive deaths: what they have, and how a view follows another. */
#include "run/channel/survivor.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/failure.h"
#include "run/mpi_status.h"

#include <stdlib.h>
#include <string.h>

/* Casts of a rank that not all are known to have, for each credit. */
enum { WINDOW = 4 };

static int reserve(struct caucus_channel_survivor *survivor, int32_t ranks, int64_t control_bytes) {
    int64_t kept = (int64_t)ranks * survivor->setup.window;
    survivor->kept = caucus_array(kept, sizeof(void *));
    survivor->length = caucus_array(kept, sizeof *survivor->length);
    survivor->oldest = caucus_array(ranks, sizeof *survivor->oldest);
    survivor->newest = caucus_array(ranks, sizeof *survivor->newest);
    survivor->bytes = caucus_array(ranks, sizeof *survivor->bytes);
    survivor->control = caucus_array(ranks, sizeof *survivor->control);
    survivor->control_memory = caucus_array(ranks, (size_t)control_bytes);
    survivor->gift = caucus_array(ranks, sizeof *survivor->gift);
    survivor->dead = caucus_array(caucus_set_words(ranks), sizeof *survivor->dead);
    for (int32_t i = 0; survivor->control && i < ranks; i++)
        survivor->control[i] = MPI_REQUEST_NULL;
    return survivor->kept && survivor->length && survivor->oldest && survivor->newest &&
                   survivor->bytes && survivor->control && survivor->control_memory &&
                   survivor->gift && survivor->dead
               ? CAUCUS_OK
               : CAUCUS_NO_MEMORY;
}

int caucus_channel_survivor_open(struct caucus_channel_runner *runner) {
    int32_t ranks = runner->setup.overlay.ranks;
    struct caucus_channel_survivor *survivor = caucus_array(1, sizeof *survivor);
    if (!survivor)
        return CAUCUS_NO_MEMORY;
    runner->survivor = survivor;
    survivor->control_bytes = caucus_survival_message_limit(ranks);
    survivor->setup.channel = runner->setup;
    survivor->setup.window = WINDOW * runner->setup.credits;
    survivor->setup.bytes = runner->user.keeps / ranks;
    survivor->limit = survivor->setup.bytes / 2; /* so one that finds no room has a flush begin */
    if (survivor->limit > runner->setup.memory)
        survivor->limit = runner->setup.memory;
    int status = reserve(survivor, ranks, survivor->control_bytes);
    if (!status)
        status = caucus_survival_make_room(&survivor->setup.channel, runner->rank);
    if (status)
        return status;
    runner->state = caucus_array(caucus_survival.state_bytes(&survivor->setup), 1);
    if (!runner->state)
        return CAUCUS_NO_MEMORY;
    caucus_survival.begin(&survivor->setup, runner->rank, runner->state);
    return CAUCUS_OK;
}

static void free_past(struct caucus_channel_survivor *survivor) {
    while (survivor->past) {
        struct caucus_channel_past *past = survivor->past;
        survivor->past = past->next;
        free(past->link);
        free(past->slot);
        free(past->memory);
        free(past->receive);
        free(past);
    }
}

void caucus_channel_survivor_free(struct caucus_channel_runner *runner) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    if (!survivor)
        return;
    int64_t kept = (int64_t)survivor->setup.channel.overlay.ranks * survivor->setup.window;
    for (int64_t i = 0; survivor->kept && i < kept; i++)
        caucus_channel_runner_let_go(survivor->kept[i]);
    for (int i = 0; i < survivor->gifts; i++)
        caucus_channel_runner_let_go(survivor->gift[i].piece);
    caucus_channel_runner_let_go(survivor->given);
    free_past(survivor);
    free(survivor->kept);
    free(survivor->length);
    free(survivor->oldest);
    free(survivor->newest);
    free(survivor->bytes);
    free(survivor->control);
    free(survivor->control_memory);
    free(survivor->gift);
    free(survivor->dead);
    free(survivor);
}

bool caucus_channel_survivor_has_deaths(const struct caucus_channel_runner *runner) {
    return runner->survivor && runner->survivor->deaths;
}

void caucus_channel_survivor_cancel(struct caucus_channel_runner *runner) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    if (!survivor)
        return;
    for (int32_t i = 0; survivor->control && i < survivor->setup.channel.overlay.ranks; i++)
        caucus_channel_runner_cancel(&survivor->control[i]);
    for (int i = 0; i < survivor->gifts; i++)
        caucus_channel_runner_cancel(&survivor->gift[i].request);
    for (struct caucus_channel_past *past = survivor->past; past; past = past->next)
        for (int64_t i = 0; i < past->slots; i++)
            caucus_channel_runner_cancel(&past->receive[i]);
}

int caucus_channel_runner_dead(struct caucus_channel_runner *runner, int room, int ranks[]) {
    int count = 0;
    const struct caucus_channel_survivor *survivor = runner->survivor;
    caucus_channel_runner_lock(runner);
    for (int32_t i = 0; survivor && i < survivor->setup.channel.overlay.ranks; i++)
        if (caucus_survival_is_gone(&survivor->setup, runner->state, i) && count++ < room)
            ranks[count - 1] = i;
    caucus_channel_runner_unlock(runner);
    return count;
}

/* Puts away what may still be written to, or read. */
static int retire(struct caucus_channel_runner *runner) {
    struct caucus_channel_past *past = caucus_array(1, sizeof *past);
    if (!past)
        return CAUCUS_NO_MEMORY;
    past->link = runner->link;
    past->slot = runner->slot;
    past->memory = runner->memory;
    past->receive = runner->receive;
    past->slots = (int64_t)runner->setup.sources * runner->setup.credits;
    past->next = runner->survivor->past;
    runner->survivor->past = past;
    runner->link = NULL;
    runner->slot = NULL;
    runner->memory = NULL;
    runner->receive = NULL;
    for (int32_t i = 0; i < runner->setup.credits; i++) {
        caucus_channel_runner_let_go(runner->piece[i]);
        runner->piece[i] = NULL;
    }
    for (int64_t i = 0; runner->setup.total_order && i < runner->setup.window; i++) {
        caucus_channel_runner_let_go(runner->kept[i]);
        runner->kept[i] = NULL;
    }
    free(runner->assembly);
    runner->assembly = NULL;
    caucus_channel_runner_let_go(runner->survivor->given);
    runner->survivor->given = NULL;
    runner->survivor->own = 0;
    runner->held_pieces = 0;
    return CAUCUS_OK;
}

static int find_links(struct caucus_channel_runner *runner) {
    const struct caucus_survival_setup *setup = &runner->survivor->setup;
    int32_t *list, count, me = 0;
    caucus_survival_channel(setup, runner->state, &runner->setup);
    while (caucus_survival_rank(setup, runner->state, me) != runner->rank)
        me++;
    int status = caucus_overlay_sources(&runner->setup.overlay, me, &count, &list);
    runner->link = caucus_array(count, sizeof *runner->link);
    for (int32_t i = 0; !status && runner->link && i < count; i++)
        runner->link[i].rank = caucus_survival_rank(setup, runner->state, list[i]);
    free(list);
    return status ? status : runner->link ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_channel_survivor_renew(struct caucus_channel_runner *runner) {
    int64_t view = caucus_survival_view(runner->state);
    int status = retire(runner);
    runner->view_bits = (int32_t)(view << CAUCUS_SURVIVAL_VIEW_SHIFT);
    if (!status)
        status = find_links(runner);
    if (!status)
        status = caucus_channel_runner_reserve_slots(runner);
    caucus_channel_runner_good(runner, status);
    if (!status)
        caucus_channel_survivor_receive_all(runner);
}

/* Others wait for farewells alone. Where somebody has died, all else may be on its way for ever: to
 * one that has left before, or data of a view that its receiver never had. */
static bool is_awaited(const struct caucus_channel_runner *runner,
                       const struct caucus_channel_piece *sent) {
    struct caucus_channel_message message;
    memcpy(&message, sent->bytes, sizeof message);
    return !runner->survivor->deaths || caucus_survival_kind(&message) == CAUCUS_SURVIVAL_BYE;
}

static bool may_leave(const struct caucus_channel_runner *runner) {
    for (int i = 0; i < runner->sends; i++)
        if (is_awaited(runner, runner->sent[i]))
            return false;
    return runner->survivor->left;
}

int caucus_channel_survivor_leave(struct caucus_channel_runner *runner) {
    struct caucus_channel_wait wait = {.round = 0};
    caucus_channel_runner_lock(runner);
    while (!runner->status && !may_leave(runner)) {
        caucus_channel_runner_move(runner);
        caucus_channel_runner_wait(runner, &wait);
    }
    int status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}
