/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a channel that all cast, on processors and cards that are modelled. */
#ifndef CAUCUS_BENCH_ROOTLESS_MODEL_H
#define CAUCUS_BENCH_ROOTLESS_MODEL_H

#include "modelled_messages.h"

struct modelled_member {
    struct caucus_channel_setup setup;
    void *state;
    int64_t cast, heard;
};

struct modelled_channel {
    struct modelled ranks;
    struct modelled_member *member;
    struct caucus_actions actions;
    int64_t bytes, casts;
};

static inline bool modelled_step(struct modelled_channel *all, int32_t rank,
                                 const struct caucus_event *event) {
    struct modelled_member *member = &all->member[rank];
    bool fits = true;
    caucus_actions_clear(&all->actions);
    caucus_channel_protocol.step(&member->setup, member->state, event, &all->actions);
    for (int64_t i = 0; fits && i < all->actions.count; i++) {
        const struct caucus_action *action = &all->actions.action[i];
        struct caucus_channel_message content;
        if (action->kind != CAUCUS_ACTION_SEND)
            continue;
        memcpy(&content, caucus_action_bytes(&all->actions, i), sizeof content);
        double bytes = (double)sizeof content;
        if (content.kind == CAUCUS_CHANNEL_DATA)
            bytes += (double)caucus_channel_piece(&member->setup, &content);
        fits = modelled_send(&all->ranks, rank, action->peer, bytes, &content);
    }
    return fits && !all->actions.status;
}

static inline bool modelled_call(struct modelled_channel *all, int32_t rank, int64_t number) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL,
                                 .number = number,
                                 .bytes = &all->bytes,
                                 .length = sizeof all->bytes};
    return modelled_step(all, rank, &event);
}

/* The user takes what is there, and casts while there is room. */
static inline bool modelled_use(struct modelled_channel *all, int32_t rank) {
    struct modelled_member *member = &all->member[rank];
    struct caucus_event cast = {.kind = CAUCUS_EVENT_CALL, .number = CAUCUS_CHANNEL_CAST};
    struct caucus_channel_message message;
    bool good = true;
    while (good && caucus_channel_peek(&member->setup, member->state, &message)) {
        all->ranks.free[rank] += all->ranks.model->operation;
        good = modelled_call(all, rank, CAUCUS_CHANNEL_TAKE);
        member->heard++;
    }
    while (good && member->cast < all->casts &&
           caucus_channel_protocol.hears(&member->setup, member->state, &cast)) {
        all->ranks.free[rank] += all->ranks.model->operation;
        good = modelled_call(all, rank, CAUCUS_CHANNEL_CAST);
        member->cast++;
    }
    return good;
}

static inline int modelled_begin(struct modelled_channel *all, int32_t rank,
                                 const struct caucus_channel_setup *setup) {
    struct modelled_member *member = &all->member[rank];
    int32_t *list;
    member->setup = *setup;
    int status = caucus_overlay_sources(&setup->overlay, rank, &member->setup.sources, &list);
    free(list);
    if (!status) {
        status = caucus_overlay_targets(&setup->overlay, rank, &member->setup.targets, &list);
        free(list);
    }
    if (!status) {
        member->state = caucus_array(caucus_channel_protocol.state_bytes(&member->setup), 1);
        status = member->state ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    if (!status)
        caucus_channel_protocol.begin(&member->setup, rank, member->state);
    return status;
}

static inline int modelled_casts(struct modelled_channel *all,
                                 const struct caucus_channel_setup *setup) {
    int32_t ranks = setup->overlay.ranks;
    struct modelled_message message;
    bool good = true;
    for (int32_t rank = 0; good && rank < ranks; rank++) {
        int status = modelled_begin(all, rank, setup);
        if (status)
            return status;
    }
    for (int32_t rank = 0; good && rank < ranks; rank++)
        good = modelled_use(all, rank);
    while (good && modelled_receive(&all->ranks, &message)) {
        struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                     .peer = message.from,
                                     .bytes = &message.content,
                                     .length = sizeof message.content};
        good = modelled_step(all, message.to, &event) && modelled_use(all, message.to) &&
               modelled_done(&all->ranks, message.to);
    }
    for (int32_t rank = 0; good && rank < ranks; rank++)
        if (all->member[rank].heard != all->casts * (ranks - !setup->total_order))
            return caucus_fail(CAUCUS_INTERNAL, "rank %d heard %lld messages", rank,
                               (long long)all->member[rank].heard);
    return good ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Until everybody has heard so many casts of everybody. */
static inline int rootless_model_run(const struct caucus_channel_setup *setup,
                                     const struct caucus_node_map *nodes,
                                     const struct caucus_model *model, int64_t bytes, int64_t casts,
                                     double *seconds) {
    struct modelled_channel all = {.bytes = bytes, .casts = casts};
    int status = modelled_init(&all.ranks, nodes, model);
    all.member = caucus_array(nodes->ranks, sizeof *all.member);
    if (!status)
        status = all.member ? modelled_casts(&all, setup) : CAUCUS_NO_MEMORY;
    *seconds = status ? 0 : modelled_end(&all.ranks);
    for (int32_t rank = 0; all.member && rank < nodes->ranks; rank++)
        free(all.member[rank].state);
    free(all.member);
    caucus_actions_free(&all.actions);
    modelled_free(&all.ranks);
    return status;
}

#endif
