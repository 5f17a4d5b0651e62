/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries the protocol of channels (plan/protocol/channel.h) out over MPI: slots are buffers of
 * persistent receives, one for each credit of each link, so that no data come unexpected. */
#ifndef CAUCUS_RUN_CHANNEL_RUNNER_H
#define CAUCUS_RUN_CHANNEL_RUNNER_H

#include "plan/protocol/channel.h"
#include "run/engine.h"

#include <mpi.h>

struct caucus_channel_delivered {
    int32_t origin;
    const void *bytes;
    int64_t length, offset, total;
};

struct caucus_channel_runner;

struct caucus_channel_user {
    void (*deliver)(void *context, const struct caucus_channel_delivered *delivered);
    void *context;
};

/* Collective over comm, which it takes over on success: a communicator of its own. setup's links
 * need not be filled in; its nodes are copied. All ranks get the same status. */
int caucus_channel_runner_open(struct caucus_engine *engine, MPI_Comm comm,
                               const struct caucus_channel_setup *setup,
                               struct caucus_channel_user user,
                               struct caucus_channel_runner **runner);

/* bytes may be used again at once if copies, else when caucus_channel_runner_owes says no. */
int caucus_channel_runner_cast(struct caucus_channel_runner *runner, const void *bytes,
                               int64_t length, bool copies, bool *accepted);
bool caucus_channel_runner_owes(const struct caucus_channel_runner *runner);

/* Moves everything on that can be, and delivers. */
int caucus_channel_runner_poll(struct caucus_channel_runner *runner);
/* Whether a callback of this channel runs. */
bool caucus_channel_runner_is_inside(const struct caucus_channel_runner *runner);
/* Between two polls, before which there have been so many: rests if nothing has come for long. */
void caucus_channel_runner_pause(struct caucus_channel_runner *runner, int64_t round);

/* Quiesces or closes: collective. */
int caucus_channel_runner_settle(struct caucus_channel_runner *runner, int64_t call);
/* After it was closed: collective. Or what was never opened. */
void caucus_channel_runner_free(struct caucus_channel_runner *runner);

#endif
