/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/channel/object.h"
#include "api/collective/team.h"
#include "api/prepare.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/overlay/estimate.h"
#include "run/agree.h"
#include "run/private.h"

#include <stdlib.h>

enum { CREDITS = 4, SEGMENT = 8192, MEMORY = 64 << 20, INBOX = 1 << 20, LONGEST_SEGMENT = 1 << 30 };

static void hand_over(void *context, const struct caucus_channel_delivered *delivered) {
    const struct caucus_channel_object *channel = context;
    caucus_delivery delivery = {delivered->origin, delivered->bytes, delivered->length,
                                delivered->offset, delivered->total};
    channel->deliver(channel->context, &delivery);
}

static int read_options(const caucus_channel_options *options, const caucus_channel *channel,
                        struct caucus_channel_setup *setup) {
    if (!options || !channel)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is NULL", !options ? "options" : "channel");
    if (options->order < CAUCUS_ORDER_FIFO || options->order > CAUCUS_ORDER_TOTAL)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "options.order is %d: it must be one of CAUCUS_ORDER_FIFO, _CAUSAL and "
                           "_TOTAL",
                           options->order);
    if (options->credits < 0 || options->segment < 0 || options->memory < 0 || options->inbox < 0 ||
        options->segment > LONGEST_SEGMENT)
        return caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "options.credits, segment, memory and inbox are %d, %lld, %lld and %lld: they must be "
            "at least 0, and segment at most 2^30",
            options->credits, (long long)options->segment, (long long)options->memory,
            (long long)options->inbox);
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
                const caucus_channel_options *options, struct caucus_channel_object *made) {
    MPI_Comm private;
    int first_group;
    int status = caucus_private_make(team->attachment->comm, &private, &first_group);
    if (status)
        return status;
    made->deliver = options->deliver;
    made->context = options->context;
    struct caucus_channel_user user = {options->deliver ? hand_over : NULL, made,
                                       options->inbox ? options->inbox : INBOX,
                                       options->progress != 0};
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
        status = make(team, &setup, options, made);
    }
    if (status) {
        free(made);
        return caucus_raise(comm, attachment, __func__, status);
    }
    caucus_channel_register(made);
    *channel = made;
    return MPI_SUCCESS;
}
