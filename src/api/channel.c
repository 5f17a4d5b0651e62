/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/channel.h>

#include "api/collective/team.h"
#include "api/prepare.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/overlay/estimate.h"
#include "run/agree.h"
#include "run/channel/runner.h"
#include "run/private.h"

#include <stdlib.h>

struct caucus_channel_object {
    MPI_Comm comm; /* the user's, for its error handler */
    caucus_deliver_function *deliver;
    void *context;
    struct caucus_channel_runner *runner;
};

enum { CREDITS = 16, SEGMENT = 16384, MEMORY = 64 << 20, LONGEST_SEGMENT = 1 << 30 };

static void hand_over(void *context, const struct caucus_channel_delivered *delivered) {
    const struct caucus_channel_object *channel = context;
    caucus_delivery delivery = {delivered->origin, delivered->bytes, delivered->length,
                                delivered->offset, delivered->total};
    channel->deliver(channel->context, &delivery);
}

static int read_options(const caucus_channel_options *options, const caucus_channel *channel,
                        struct caucus_channel_setup *setup) {
    if (!options || !channel || !options->deliver)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is NULL",
                           !options   ? "options"
                           : !channel ? "channel"
                                      : "options.deliver");
    if (options->order < CAUCUS_ORDER_FIFO || options->order > CAUCUS_ORDER_TOTAL)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "options.order is %d: it must be one of CAUCUS_ORDER_FIFO, _CAUSAL and "
                           "_TOTAL",
                           options->order);
    if (options->credits < 0 || options->segment < 0 || options->memory < 0 ||
        options->segment > LONGEST_SEGMENT)
        return caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "options.credits, segment and memory are %d, %lld and %lld: they must be "
            "at least 0, and segment at most 2^30",
            options->credits, (long long)options->segment, (long long)options->memory);
    setup->credits = options->credits ? options->credits : CREDITS;
    setup->segment = options->segment ? options->segment : SEGMENT;
    setup->memory = options->memory ? options->memory : MEMORY;
    setup->total_order = options->order == CAUCUS_ORDER_TOTAL;
    setup->overlay.shared = options->order == CAUCUS_ORDER_CAUSAL;
    return CAUCUS_OK;
}

/* All ranks want the same, and get the overlay that is best when all cast. */
static int settle(const struct caucus_team *team, int status, struct caucus_channel_setup *setup) {
    const int64_t numbers[] = {setup->credits, setup->segment, setup->memory, setup->total_order,
                               setup->overlay.shared};
    const struct caucus_item item = {
        "options (credits, segment, memory, total order, causal order)", CAUCUS_ITEM_LONGS, numbers,
        5};
    bool shared = setup->overlay.shared;
    status = caucus_agree(&team->attachment->peers, status, 1, &item);
    if (status)
        return status;
    status = caucus_overlay_choose(&team->engine->nodes, &team->settings.model, setup->segment,
                                   true, &setup->overlay);
    setup->overlay.shared = shared;
    int64_t kind = 0; /* agreed on, for sums may differ between processors */
    while (!status && caucus_overlay_listed((int)kind) != setup->overlay.kind)
        kind++;
    const struct caucus_item chosen = {"the overlay that was chosen", CAUCUS_ITEM_LONGS, &kind, 1};
    return caucus_agree(&team->attachment->peers, status, 1, &chosen);
}

static int make(const struct caucus_team *team, const struct caucus_channel_setup *setup,
                struct caucus_channel_object *made) {
    MPI_Comm private;
    int first_group;
    int status = caucus_private_make(team->attachment->comm, &private, &first_group);
    if (status)
        return status;
    struct caucus_channel_user user = {hand_over, made};
    status = caucus_channel_runner_open(team->engine, private, setup, user, &made->runner);
    if (status)
        caucus_private_free(&private);
    return status;
}

int caucus_channel_open(MPI_Comm comm, const caucus_channel_options *options,
                        caucus_channel *channel) {
    struct caucus_attachment *attachment;
    struct caucus_channel_setup setup = {0};
    struct caucus_team *team;
    int code = caucus_prepare(comm, __func__, &attachment);
    if (code)
        return code;
    int status = caucus_team_get(comm, &team);
    if (status)
        return caucus_raise(comm, attachment, __func__, status);
    struct caucus_channel_object *made = caucus_array(1, sizeof *made);
    status = read_options(options, channel, &setup);
    status = settle(team, made ? status : CAUCUS_NO_MEMORY, &setup);
    if (!status) {
        made->comm = comm;
        made->deliver = options->deliver;
        made->context = options->context;
        status = make(team, &setup, made);
    }
    if (status) {
        free(made);
        return caucus_raise(comm, attachment, __func__, status);
    }
    *channel = made;
    return MPI_SUCCESS;
}

static int end(caucus_channel channel, const char *function, int status) {
    return status ? caucus_raise(channel ? channel->comm : MPI_COMM_SELF, NULL, function, status)
                  : MPI_SUCCESS;
}

/* Calls that callbacks must not make. */
static int check(caucus_channel channel) {
    if (!channel)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "channel is CAUCUS_CHANNEL_NULL");
    if (caucus_channel_runner_is_inside(channel->runner))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "it was called by the callback of its channel, which may call "
                           "caucus_try_cast alone");
    return CAUCUS_OK;
}

static int check_message(const void *bytes, MPI_Count length) {
    if (length < 0)
        return caucus_fail(CAUCUS_BAD_COUNT, "length is %lld: it must be at least 0",
                           (long long)length);
    if (length > 0 && !bytes)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "bytes is NULL, but length is %lld",
                           (long long)length);
    return CAUCUS_OK;
}

int caucus_cast(caucus_channel channel, const void *bytes, MPI_Count length) {
    bool accepted = false;
    int status = check(channel);
    if (!status)
        status = check_message(bytes, length);
    for (int64_t round = 0; !status; round++) {
        if (!accepted)
            status = caucus_channel_runner_cast(channel->runner, bytes, length, false, &accepted);
        if (accepted && !caucus_channel_runner_owes(channel->runner))
            break;
        if (!status)
            status = caucus_channel_runner_poll(channel->runner);
        if (round)
            caucus_channel_runner_pause(channel->runner, round);
    }
    return end(channel, __func__, status);
}

int caucus_try_cast(caucus_channel channel, const void *bytes, MPI_Count length, int *accepted) {
    bool taken = false;
    int status = channel ? check_message(bytes, length) : check(channel);
    if (!status && !accepted)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "accepted is NULL");
    if (!status && !caucus_channel_runner_is_inside(channel->runner))
        status = caucus_channel_runner_poll(channel->runner);
    if (!status)
        status = caucus_channel_runner_cast(channel->runner, bytes, length, true, &taken);
    if (!status)
        *accepted = taken;
    return end(channel, __func__, status);
}

int caucus_channel_poll(caucus_channel channel) {
    int status = check(channel);
    if (!status)
        status = caucus_channel_runner_poll(channel->runner);
    return end(channel, __func__, status);
}

int caucus_channel_quiesce(caucus_channel channel) {
    int status = check(channel);
    if (!status)
        status = caucus_channel_runner_settle(channel->runner, CAUCUS_CHANNEL_QUIESCE);
    return end(channel, __func__, status);
}

int caucus_channel_close(caucus_channel *channel) {
    int status = channel ? check(*channel)
                         : caucus_fail(CAUCUS_BAD_ARGUMENT, "the pointer to the channel is NULL");
    if (!status)
        status = caucus_channel_runner_settle((*channel)->runner, CAUCUS_CHANNEL_CLOSE);
    if (status)
        return end(channel ? *channel : NULL, __func__, status);
    caucus_channel_runner_free((*channel)->runner);
    free(*channel);
    *channel = CAUCUS_CHANNEL_NULL;
    return MPI_SUCCESS;
}
