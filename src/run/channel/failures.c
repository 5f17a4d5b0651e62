/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/channel/failures.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/failure.h"

#include <stdlib.h>
#include <string.h>

/* Casts of a rank that not all are known to have, for each credit. */
enum { WINDOW = 4, HEAD = sizeof(struct caucus_channel_message) };

/* Others wait for farewells alone. Where somebody has died, all else may be on its way for ever: to
 * one that has left before, or data of a view that its receiver never had. */
static bool is_awaited(const struct caucus_channel_runner *runner,
                       const struct caucus_channel_piece *sent) {
    struct caucus_channel_message message;
    memcpy(&message, sent->bytes, sizeof message);
    return !runner->failures->deaths || caucus_survival_kind(&message) == CAUCUS_SURVIVAL_BYE;
}

/* All others know that it was closed. */
static bool is_through(struct caucus_channel_runner *runner) {
    for (int i = 0; i < runner->sends; i++)
        if (is_awaited(runner, runner->sent[i]))
            return false;
    return runner->failures->left;
}

static const struct caucus_channel_kind surviving = {
    .variant = &caucus_channel_surviving,
    .hears_of_deaths = true,
    .is_through = is_through,
};

int caucus_channel_failures_open(struct caucus_channel_runner *runner) {
    int32_t ranks = runner->ranks;
    struct caucus_channel_failures *failures = caucus_array(1, sizeof *failures);
    if (!failures)
        return CAUCUS_NO_MEMORY;
    runner->failures = failures;
    runner->kind = &surviving;
    failures->setup.channel = runner->setup;
    failures->setup.window = WINDOW * runner->setup.credits;
    failures->setup.bytes = runner->user.keeps > ranks ? runner->user.keeps / ranks : 1;
    failures->dead = caucus_array(caucus_set_words(ranks), sizeof *failures->dead);
    int status = failures->dead ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status =
            caucus_channel_retained_open(runner, failures->setup.window, failures->setup.bytes);
    if (!status)
        status = caucus_survival_make_room(&failures->setup.channel, runner->rank);
    runner->most_links = failures->setup.channel.sources;
    return status ? status : caucus_channel_runner_begin_protocol(runner, &failures->setup);
}

void caucus_channel_failures_free(struct caucus_channel_runner *runner) {
    struct caucus_channel_failures *failures = runner->failures;
    if (!failures)
        return;
    while (failures->past) {
        struct caucus_channel_past *past = failures->past;
        failures->past = past->next;
        free(past->link);
        free(past->slot);
        free(past->memory);
        free(past->receive);
        free(past);
    }
    free(failures->dead);
    free(failures);
}

void caucus_channel_failures_cancel(struct caucus_channel_runner *runner) {
    struct caucus_channel_past *past = runner->failures ? runner->failures->past : NULL;
    for (; past; past = past->next)
        for (int64_t i = 0; i < past->slots; i++)
            caucus_channel_runner_cancel(&past->receive[i]);
}

bool caucus_channel_failures_has_deaths(const struct caucus_channel_runner *runner) {
    return runner->failures && runner->failures->deaths;
}

bool caucus_channel_failures_knows_dead(const struct caucus_channel_runner *runner, int32_t rank) {
    return runner->failures && caucus_set_has(runner->failures->dead, rank);
}

bool caucus_channel_failures_is_closed(const struct caucus_channel_runner *runner) {
    return runner->failures && caucus_survival_is_closed(runner->machine.state);
}

bool caucus_channel_failures_forgives(const struct caucus_channel_runner *runner, int code) {
    return runner->failures && caucus_failure_is(code);
}

bool caucus_channel_failures_forgives_some(const struct caucus_channel_runner *runner, int code,
                                           int count) {
    int class = MPI_SUCCESS;
    bool any = caucus_channel_failures_forgives(runner, code);
    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    for (int i = 0; class == MPI_ERR_IN_STATUS && i < count; i++)
        any |= caucus_channel_failures_forgives(runner, runner->told[i].MPI_ERROR);
    return any;
}

bool caucus_channel_failures_is_gone(const struct caucus_channel_runner *runner, int32_t rank) {
    const struct caucus_channel_failures *failures = runner->failures;
    return failures && caucus_survival_is_gone(&failures->setup, runner->machine.state, rank);
}

static void owe_nothing_to_gone(struct caucus_channel_runner *runner) {
    for (int32_t rank = 0; rank < runner->ranks; rank++)
        if (caucus_channel_failures_is_gone(runner, rank))
            caucus_channel_allreduce_hear_death(runner, rank);
}

void caucus_channel_failures_learn(struct caucus_channel_runner *runner) {
    struct caucus_channel_failures *failures = runner->failures;
    int count = 0;
    int *dead = caucus_array(runner->ranks, sizeof *dead);
    int status =
        dead ? caucus_failure_ranks(runner->comm, dead, runner->ranks, &count) : CAUCUS_NO_MEMORY;
    runner->control.deaths = false;
    for (int i = 0; caucus_channel_runner_good(runner, status) && i < count; i++) {
        if (dead[i] < 0 || dead[i] >= runner->ranks || caucus_set_has(failures->dead, dead[i]))
            continue;
        struct caucus_event event = {.kind = CAUCUS_EVENT_DEATH, .peer = dead[i]};
        caucus_set_add(failures->dead, dead[i]);
        failures->deaths = true;
        caucus_channel_runner_step(runner, &event);
    }
    free(dead);
    owe_nothing_to_gone(runner);
}

int caucus_channel_runner_dead(struct caucus_channel_runner *runner, int room, int ranks[]) {
    int count = 0;
    caucus_channel_runner_lock(runner);
    for (int32_t i = 0; i < runner->ranks; i++)
        if (caucus_channel_failures_is_gone(runner, i) && count++ < room)
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
    past->next = runner->failures->past;
    runner->failures->past = past;
    runner->link = NULL;
    runner->slot = NULL;
    runner->memory = NULL;
    runner->receive = NULL;
    caucus_channel_runner_clear(runner);
    free(runner->path);
    runner->path = NULL;
    runner->held_pieces = 0;
    return CAUCUS_OK;
}

static int find_links(struct caucus_channel_runner *runner) {
    const struct caucus_survival_setup *setup = &runner->failures->setup;
    int32_t *list, count;
    caucus_survival_channel(setup, runner->machine.state, &runner->setup);
    runner->position = 0;
    while (caucus_survival_rank(setup, runner->machine.state, runner->position) != runner->rank)
        runner->position++;
    int status = caucus_overlay_sources(&runner->setup.overlay, runner->position, &count, &list);
    runner->link = caucus_array(count, sizeof *runner->link);
    for (int32_t i = 0; !status && runner->link && i < count; i++)
        runner->link[i].rank = caucus_survival_rank(setup, runner->machine.state, list[i]);
    free(list);
    if (!status && !(runner->link && caucus_channel_runner_has_links(runner)))
        status = CAUCUS_NO_MEMORY;
    return status;
}

/* Own messages that are cast again. */
static int queue_again(struct caucus_channel_runner *runner) {
    int status = CAUCUS_OK;
    int64_t number = caucus_survival_first(&runner->failures->setup, runner->machine.state);
    struct caucus_channel_piece *piece;
    for (; !status && (piece = caucus_channel_retained(runner, runner->rank, number)); number++) {
        struct caucus_channel_message message;
        memcpy(&message, piece->bytes, sizeof message);
        piece->users++;
        status = caucus_channel_runner_queue(runner, NULL, piece, message.total, message.slot);
    }
    return status;
}

static void renew(struct caucus_channel_runner *runner) {
    int64_t view = caucus_survival_view(runner->machine.state);
    int status = retire(runner);
    runner->view_bits = (int32_t)(view << CAUCUS_SURVIVAL_VIEW_SHIFT);
    if (!status)
        status = find_links(runner);
    if (!status)
        status = caucus_channel_runner_reserve_slots(runner);
    if (!status)
        status = queue_again(runner);
    if (caucus_channel_runner_good(runner, status))
        caucus_channel_runner_receive_all(runner);
    owe_nothing_to_gone(runner);
}

void caucus_channel_failures_decided(struct caucus_channel_runner *runner, int64_t number) {
    if (number == CAUCUS_SURVIVAL_VIEW)
        renew(runner);
    else
        runner->failures->left = true;
}

/* With its header, which says of how many casts it is. */
void caucus_channel_failures_give(struct caucus_channel_runner *runner, int32_t to,
                                  const struct caucus_channel_message *message) {
    bool any = message->total >= 0;
    const struct caucus_channel_piece *kept =
        any ? caucus_channel_retained(runner, message->origin, message->sequence) : NULL;
    if (any && !kept)
        caucus_channel_runner_good(
            runner, caucus_fail(CAUCUS_INTERNAL, "a message was not kept for a rank that lives"));
    else
        caucus_channel_runner_control(runner, to, message, any ? kept->bytes : NULL,
                                      any ? HEAD + message->total : 0);
}

void caucus_channel_failures_get(struct caucus_channel_runner *runner, const unsigned char *bytes,
                                 int64_t length) {
    struct caucus_channel_message message, kept;
    if (length < HEAD || runner->given || !caucus_channel_runner_peek(runner, &message) ||
        message.slot != CAUCUS_SURVIVAL_GIVEN)
        return;
    if (length - HEAD != message.total) {
        caucus_channel_runner_good(
            runner, caucus_fail(CAUCUS_INTERNAL, "a message was given with another length"));
        return;
    }
    memcpy(&kept, bytes, sizeof kept);
    runner->given = caucus_channel_piece_whole(bytes + HEAD, length - HEAD, kept.slot);
    if (!runner->given)
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
}
