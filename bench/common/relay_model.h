/* SPDX-License-Identifier: BSD-3-Clause */
/* A coordinator, rank 0, on modelled messages: ranks hand it a message while fewer than a few of
 * theirs are on their way; each goes down the tree of origin 0, in the order in which they came. It
 * needs no credits, and no header: what it takes is the least that such a thing can. */
#ifndef CAUCUS_BENCH_RELAY_MODEL_H
#define CAUCUS_BENCH_RELAY_MODEL_H

#include "modelled_messages.h"

enum { RELAY_WINDOW = 4 };

struct relay {
    struct modelled ranks;
    const struct caucus_overlay *tree;
    double bytes;
    int64_t *left; /* casts of a rank that it has not begun */
    int64_t heard, requests;
};

static inline bool relay_down(struct relay *all, int32_t rank, int32_t sender, int32_t origin) {
    struct caucus_channel_message content = {.kind = CAUCUS_CHANNEL_DATA, .origin = origin};
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    int count = caucus_overlay_forwards(all->tree, rank, sender, 0, to);
    bool good = true;
    all->heard++;
    for (int i = 0; good && i < count; i++)
        good = modelled_send(&all->ranks, rank, to[i], all->bytes, &content);
    return good;
}

/* A rank casts, if it has something left. Rank 0 needs nobody for it. */
static inline bool relay_cast(struct relay *all, int32_t rank) {
    struct caucus_channel_message content = {.kind = CAUCUS_CHANNEL_REQUEST, .origin = rank};
    if (all->left[rank] == 0)
        return true;
    all->left[rank]--;
    all->ranks.free[rank] += all->ranks.model->operation;
    return rank ? modelled_send(&all->ranks, rank, 0, all->bytes, &content)
                : relay_down(all, 0, 0, 0);
}

static inline bool relay_message(struct relay *all, const struct modelled_message *message) {
    int32_t rank = message->to, origin = message->content.origin;
    if (rank)
        return relay_down(all, rank, message->from, origin) &&
               (rank != origin || relay_cast(all, rank));
    bool own_turn = ++all->requests % (all->tree->ranks - 1) == 0;
    return relay_down(all, 0, 0, origin) && (!own_turn || relay_cast(all, 0));
}

static inline int relay_casts(struct relay *all, int64_t casts) {
    struct modelled_message message;
    bool good = true;
    for (int32_t rank = 0; rank < all->tree->ranks; rank++)
        all->left[rank] = casts;
    for (int32_t rank = 1; rank < all->tree->ranks; rank++)
        for (int i = 0; good && i < RELAY_WINDOW; i++)
            good = relay_cast(all, rank);
    while (good && modelled_receive(&all->ranks, &message))
        good = relay_message(all, &message) && modelled_done(&all->ranks, message.to);
    if (!good)
        return CAUCUS_NO_MEMORY;
    int64_t due = casts * all->tree->ranks * all->tree->ranks;
    return all->heard == due ? CAUCUS_OK
                             : caucus_fail(CAUCUS_INTERNAL, "the relay brought %lld of %lld",
                                           (long long)all->heard, (long long)due);
}

/* Until everybody has heard so many casts of everybody, of at least two. */
static inline int relay_model_run(const struct caucus_overlay *tree,
                                  const struct caucus_node_map *nodes,
                                  const struct caucus_model *model, int64_t bytes, int64_t casts,
                                  double *seconds) {
    struct relay all = {.tree = tree, .bytes = (double)bytes};
    int status = modelled_init(&all.ranks, nodes, model);
    all.left = caucus_array(nodes->ranks, sizeof *all.left);
    if (!status)
        status = all.left ? relay_casts(&all, casts) : CAUCUS_NO_MEMORY;
    *seconds = status ? 0 : modelled_end(&all.ranks);
    free(all.left);
    modelled_free(&all.ranks);
    return status;
}

#endif
