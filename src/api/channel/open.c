/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/channel/object.h"
#include "api/collective/context.h"
#include "api/common/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/overlay/estimate.h"
#include "run/peers/agree.h"
#include "run/support/failure.h"
#include "run/support/private.h"

#include <stdlib.h>

enum {
    CREDITS = 16,
    SEGMENT = 16384,
    MEMORY = 64 << 20,
    INBOX = 1 << 20,
    KEEPS = 64 << 20,
    LONGEST_SEGMENT = 1 << 30,
    WINDOW = 1024,
    LONGEST_ANSWER = 1 << 20
};

static void hand_over(void *context, const struct caucus_channel_delivered *delivered) {
    const struct caucus_channel_object *channel = context;
    caucus_delivery delivery = caucus_channel_delivery(delivered);
    channel->options.deliver(channel->options.context, &delivery);
}

static void hand_question(void *context, const struct caucus_channel_delivered *question,
                          void *answer) {
    const struct caucus_channel_object *channel = context;
    caucus_delivery delivery = caucus_channel_delivery(question);
    channel->options.answer(channel->options.context, &delivery, answer);
}

static void hand_answers(void *context, void *into, const void *from) {
    const struct caucus_channel_object *channel = context;
    channel->options.combine(channel->options.context, into, from);
}

static int read_questions(const caucus_channel_options *options) {
    bool any = options->answer || options->combine || options->answer_bytes;
    if (any && (!options->answer != !options->deliver || !options->combine ||
                options->answer_bytes < 1 || options->answer_bytes > LONGEST_ANSWER))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "questions need options.answer if there is deliver, and only then, "
                           "combine, and answer_bytes from 1 to 2^20; they are %lld",
                           (long long)options->answer_bytes);
    return CAUCUS_OK;
}

static int64_t keeps_of(const caucus_channel_options *options) {
    return !options->survives ? 0 : options->keeps ? options->keeps : KEEPS;
}

static int read_survival(const caucus_channel_options *options) {
    if (options->keeps < 0 || (options->keeps && !options->survives))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "options.keeps is %lld: it must be at least 0, and 0 for a channel that "
                           "does not survive deaths",
                           (long long)options->keeps);
    if (!options->survives)
        return CAUCUS_OK;
    if (keeps_of(options) > LONGEST_SEGMENT)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "options.keeps is %lld: it must be at most 2^30",
                           (long long)options->keeps);
    return caucus_failure_detected()
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_UNSUPPORTED,
                             "options.survives: this MPI tells nothing of deaths, or was started "
                             "without that (Open MPI 5: mpiexec --with-ft ulfm)");
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
    setup->window =
        setup->memory / setup->segment < WINDOW ? setup->memory / setup->segment : WINDOW;
    setup->window = setup->window < 1 ? 1 : setup->window;
    setup->overlay.shared = options->order == CAUCUS_ORDER_CAUSAL;
    int status = read_questions(options);
    return status ? status : read_survival(options);
}

/* The one that is best when all cast. To find it takes time and memory that grow with the ranks,
 * and sums may differ between processors: so rank 0 alone does. */
static int choose_overlay(const struct caucus_context *comm_context,
                          struct caucus_channel_setup *setup) {
    const struct caucus_node_map *nodes = &comm_context->engine->nodes;
    struct caucus_overlay chosen = {.kind = caucus_overlay_listed(0)};
    int status = CAUCUS_OK, kind = 0;
    if (comm_context->rank == 0)
        status = caucus_overlay_choose(nodes, &comm_context->settings.usual, setup->segment, true,
                                       &chosen);
    while (!status && caucus_overlay_listed(kind) != chosen.kind)
        kind++;
    status =
        caucus_agree_root_data(&comm_context->attachment->peers, 0, status, &kind, sizeof kind);
    setup->overlay.kind = caucus_overlay_listed(kind);
    setup->overlay.ranks = nodes->ranks;
    setup->overlay.nodes = nodes;
    return status;
}

/* All ranks want the same, and get the same overlay. */
static int settle(const struct caucus_context *comm_context, int status, int64_t answer_bytes,
                  int64_t keeps, struct caucus_channel_setup *setup) {
    const int64_t numbers[] = {
        setup->credits,        setup->segment, setup->memory, setup->total_order,
        setup->overlay.shared, answer_bytes,   keeps};
    const struct caucus_item item = {
        "options (credits, segment, memory, total order, causal order, answer_bytes, "
        "keeps if it survives)",
        CAUCUS_ITEM_LONGS, numbers, 7};
    status = caucus_agree(&comm_context->attachment->peers, status, 1, &item);
    if (status)
        return status;
    return choose_overlay(comm_context, setup);
}

static int make(const struct caucus_context *comm_context, const struct caucus_channel_setup *setup,
                const caucus_channel_options *options, struct caucus_channel_object *made) {
    MPI_Comm private;
    int first_group;
    int status = caucus_private_make(comm_context->attachment->comm, &private, &first_group);
    if (status)
        return status;
    made->options = *options;
    made->options.memory = setup->memory;
    made->ranks = setup->overlay.ranks;
    struct caucus_channel_user user = {.deliver = options->deliver ? hand_over : NULL,
                                       .answer = options->answer ? hand_question : NULL,
                                       .combine = hand_answers,
                                       .answer_bytes = options->answer_bytes,
                                       .context = made,
                                       .inbox = options->inbox ? options->inbox : INBOX,
                                       .thread = options->progress != 0,
                                       .keeps = keeps_of(options)};
    status = caucus_channel_runner_open(comm_context->engine, private, setup, user, &made->runner);
    if (status)
        caucus_private_free(&private);
    return status;
}

int caucus_channel_open(MPI_Comm comm, const caucus_channel_options *options,
                        caucus_channel *channel) {
    struct caucus_channel_setup setup = {0};
    struct caucus_context *comm_context;
    int code = caucus_opening_context(comm, __func__, &comm_context);
    if (code)
        return code;
    struct caucus_channel_object *made = caucus_array(1, sizeof *made);
    int status = read_options(options, channel, &setup);
    status = settle(comm_context, made ? status : CAUCUS_NO_MEMORY,
                    options ? options->answer_bytes : 0, options ? keeps_of(options) : 0, &setup);
    if (!status) {
        made->comm_context = comm_context;
        status = make(comm_context, &setup, options, made);
    }
    if (status) {
        free(made);
        return caucus_raise(comm, comm_context->attachment, __func__, status);
    }
    caucus_context_hold(comm_context);
    caucus_channel_register(made);
    *channel = made;
    caucus_channel_runner_go(made->runner);
    caucus_succeed();
    return MPI_SUCCESS;
}
