/* SPDX-License-Identifier: BSD-3-Clause */
/* What a channel that survives deaths (plan/protocol/survival.h) has besides: whom MPI tells to be
 * dead, and views that follow another. Of a channel whose one view lasts nobody dies. Data have a
 * tag for each view.
 *
 * Receives of a view that has ended stay until the channel does: by the credits there is one for
 * everything that may still come from the living, so all their sends end. */
#ifndef CAUCUS_RUN_CHANNEL_FAILURES_H
#define CAUCUS_RUN_CHANNEL_FAILURES_H

#include "plan/protocol/survival.h"
#include "run/channel/state.h"

/* Of a view that has ended. */
struct caucus_channel_past {
    struct caucus_channel_link *link;
    struct caucus_channel_piece *slot;
    unsigned char *memory;
    MPI_Request *receive;
    int64_t slots;
    struct caucus_channel_past *next;
};

struct caucus_channel_failures {
    struct caucus_survival_setup setup;
    struct caucus_channel_past *past;
    uint64_t *dead; /* as MPI tells */
    bool deaths, left;
};

int caucus_channel_failures_open(struct caucus_channel_runner *runner);
void caucus_channel_failures_cancel(struct caucus_channel_runner *runner);
void caucus_channel_failures_free(struct caucus_channel_runner *runner);

bool caucus_channel_failures_has_deaths(const struct caucus_channel_runner *runner);
bool caucus_channel_failures_knows_dead(const struct caucus_channel_runner *runner, int32_t rank);
/* Whether the ranks of this view know it, by what others say, too. */
bool caucus_channel_failures_is_gone(const struct caucus_channel_runner *runner, int32_t rank);
/* Whether it has said its last word. */
bool caucus_channel_failures_is_closed(const struct caucus_channel_runner *runner);

/* Whether what MPI returned is an error that comes of a death, which the mailbox tells of; and of
 * so many receives of which some have failed. */
bool caucus_channel_failures_forgives(const struct caucus_channel_runner *runner, int code);
bool caucus_channel_failures_forgives_some(const struct caucus_channel_runner *runner, int code,
                                           int count);
/* Tells the protocol who has died. */
void caucus_channel_failures_learn(struct caucus_channel_runner *runner);
/* VIEW: a new one begins; or LEFT. */
void caucus_channel_failures_decided(struct caucus_channel_runner *runner, int64_t number);

/* Gives a retained message to who lacks it; and what came so, if the protocol has accepted it. */
void caucus_channel_failures_give(struct caucus_channel_runner *runner, int32_t to,
                                  const struct caucus_channel_message *message);
void caucus_channel_failures_get(struct caucus_channel_runner *runner, const unsigned char *bytes,
                                 int64_t length);

#endif
