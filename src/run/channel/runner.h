/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries the protocol of channels (plan/protocol/channel.h) out over MPI: slots are buffers of
 * persistent receives, one for each credit of each link, so that no data come unexpected. */
#ifndef CAUCUS_RUN_CHANNEL_RUNNER_H
#define CAUCUS_RUN_CHANNEL_RUNNER_H

#include "plan/protocol/channel.h"
#include "run/engine/engine.h"

#include <mpi.h>

struct caucus_channel_delivered {
    int32_t origin;
    const void *bytes;
    int64_t length, offset, total;
    bool asks;            /* another one's question, to be answered */
    bool outcome;         /* of origin's reduction */
    bool silent;          /* a question, of whose outcome others are not told */
    bool early, included; /* it ends before all have contributed; this rank has in time */
    int32_t contributions;
    int64_t number; /* of origin's reductions, from 1: of a question or outcome; 0: neither */
};

/* Since it was opened; caucus/channel.h says what they are. */
struct caucus_channel_counts {
    int64_t casts, cast_bytes, deliveries, delivered_bytes, sends, sent_bytes, forwards, controls;
    int64_t refusals, stalls, hops, longest_path, peak_held, peak_sends, peak_inbox;
    double stalled_seconds;
};

/* If MPI allows several threads at a time, they may use a channel at a time; opening, settling and
 * freeing are for one of them.
 *
 * Where CAUCUS_TIMEOUT is set and nothing comes for so long, waits fail: CAUCUS_TIMED_OUT, with
 * words that name whom this rank waits for. Then the channel has failed, and all its calls do. */
struct caucus_channel_runner;

struct caucus_channel_user {
    /* NULL: what comes waits until it is received. */
    void (*deliver)(void *context, const struct caucus_channel_delivered *delivered);
    /* In place of deliver, for what asks: fills answer_bytes. NULL with deliver: nobody asks. */
    void (*answer)(void *context, const struct caucus_channel_delivered *question, void *answer);
    void (*combine)(void *context, void *into, const void *from); /* answers */
    int64_t answer_bytes;
    void *context;
    int64_t inbox; /* bytes of what waits, besides slots */
    bool thread;   /* one of its own moves the channel on */
    int64_t keeps; /* 0: no death is survived; else bytes of everybody's messages to keep for that,
                      as far as not all are known to have them */
};

/* Collective over comm, which it takes over on success: a communicator of its own. setup's links
 * need not be filled in; its nodes are copied. All ranks get the same status. */
int caucus_channel_runner_open(struct caucus_engine *engine, MPI_Comm comm,
                               const struct caucus_channel_setup *setup,
                               struct caucus_channel_user user,
                               struct caucus_channel_runner **runner);

/* From now on its thread may call back, if it has one. */
void caucus_channel_runner_go(struct caucus_channel_runner *runner);

/* Ends the thread, after a callback that it is in; calls move the channel on from then on. */
void caucus_channel_runner_rest(struct caucus_channel_runner *runner);

/* Waits for room, and until bytes may be used again. Without deliver: CAUCUS_PENDING, and nothing
 * was cast, where there is room neither for it nor for what comes, and no other thread receives. */
int caucus_channel_runner_cast(struct caucus_channel_runner *runner, const void *bytes,
                               int64_t length);
/* Copies. Moves all on first, unless it is called by a callback. */
int caucus_channel_runner_try_cast(struct caucus_channel_runner *runner, const void *bytes,
                                   int64_t length, bool *accepted);

/* Until all have what this rank has cast. Without deliver CAUCUS_PENDING where this thread has to
 * receive first: to be called again. */
int caucus_channel_runner_flush(struct caucus_channel_runner *runner);

/* A reduction whose outcome all are told, this rank too, unless it is silent, as soon as so many
 * have contributed; and *answer, the own contribution, is the outcome then. A silent one of all
 * ranks is a question. Without deliver CAUCUS_PENDING as before. */
int caucus_channel_runner_allreduce(struct caucus_channel_runner *runner, int32_t quorum,
                                    bool silent, const void *bytes, int64_t length, void *answer);
/* Does not wait; callbacks may. */
int caucus_channel_runner_try_allreduce(struct caucus_channel_runner *runner, int32_t quorum,
                                        const void *bytes, int64_t length, const void *answer,
                                        bool *opened);

/* Moves everything on that can be, and delivers. */
int caucus_channel_runner_poll(struct caucus_channel_runner *runner);
/* Whether this thread runs a callback of this channel. */
bool caucus_channel_runner_is_inside(const struct caucus_channel_runner *runner);

/* Without deliver: what comes next; its bytes stay until the next call. That nothing comes in time
 * is no failure of the channel. */
int caucus_channel_runner_receive(struct caucus_channel_runner *runner,
                                  struct caucus_channel_delivered *delivered);
int caucus_channel_runner_try_receive(struct caucus_channel_runner *runner,
                                      struct caucus_channel_delivered *delivered, bool *received);

struct caucus_channel_counts caucus_channel_runner_counts(struct caucus_channel_runner *runner);

/* Who of the communicator has died, of a channel that survives: how many, the first in ranks. */
int caucus_channel_runner_dead(struct caucus_channel_runner *runner, int room, int ranks[]);

/* Without deliver: this rank's answer to a question of origin that it has received. */
int caucus_channel_runner_reply(struct caucus_channel_runner *runner, int32_t origin,
                                const void *answer);

/* Quiesces or closes: collective. Without deliver CAUCUS_PENDING where something waits to be
 * received and no other thread does, or a question to be answered: to be called again. */
int caucus_channel_runner_settle(struct caucus_channel_runner *runner, int64_t call);
/* The same without waiting: to be called until it is done. */
int caucus_channel_runner_try_settle(struct caucus_channel_runner *runner, int64_t call,
                                     bool *done);
bool caucus_channel_runner_has_failed(struct caucus_channel_runner *runner);
/* After it was closed: collective, and may fail as waits do. Or after it has failed: local. */
int caucus_channel_runner_free(struct caucus_channel_runner *runner);

#endif
