/* SPDX-License-Identifier: BSD-3-Clause */
/* What a channel that survives deaths (plan/protocol/survival.h) has besides. Each rank has a
 * receive of its own for messages without data, so that every death is told by one of them and none
 * is from anybody, which would fail for all. Data have a tag for each view.
 *
 * Receives of a view that has ended stay until the channel does: by the credits there is one for
 * everything that may still come from the living, so all their sends end. */
#ifndef CAUCUS_RUN_CHANNEL_SURVIVOR_H
#define CAUCUS_RUN_CHANNEL_SURVIVOR_H

#include "plan/protocol/survival.h"
#include "run/channel/state.h"

/* A message that was asked for. */
struct caucus_channel_gift {
    MPI_Request request;
    int32_t from;
    struct caucus_channel_piece *piece;
};

/* Of a view that has ended. */
struct caucus_channel_past {
    struct caucus_channel_link *link;
    struct caucus_channel_piece *slot;
    unsigned char *memory;
    MPI_Request *receive;
    int64_t slots;
    struct caucus_channel_past *next;
};

struct caucus_channel_survivor {
    struct caucus_survival_setup setup;
    int64_t limit; /* of a message, bytes; and of what is kept of a rank */
    struct caucus_channel_piece *
        *kept;                        /* of each rank its last messages, by number modulo window */
    int64_t *length;                  /* of these */
    int64_t *oldest, *newest, *bytes; /* of each rank: numbers kept, from and to, and their sum */
    MPI_Request *control;             /* of each rank */
    int64_t control_bytes;            /* of one of those messages */
    unsigned char *control_memory;    /* so many for each */
    struct caucus_channel_gift *gift; /* those that are awaited: room for each rank */
    int gifts;
    struct caucus_channel_piece *given; /* the one that is to be taken */
    int64_t own;                        /* whole messages of this view that were sent first */
    struct caucus_channel_past *past;
    uint64_t *dead; /* as MPI tells */
    bool deaths, left;
};

int caucus_channel_survivor_open(struct caucus_channel_runner *runner);
int caucus_channel_survivor_start(struct caucus_channel_runner *runner);
void caucus_channel_survivor_cancel(struct caucus_channel_runner *runner);
void caucus_channel_survivor_free(struct caucus_channel_runner *runner);
bool caucus_channel_survivor_has_deaths(const struct caucus_channel_runner *runner);

void caucus_channel_survivor_step(struct caucus_channel_runner *runner,
                                  const struct caucus_event *event);
/* Whether what MPI returned is an error that comes of a death: receives tell of that. */
bool caucus_channel_survivor_forgives(const struct caucus_channel_runner *runner, int code);
/* Starts the receive of a slot, or of all. */
void caucus_channel_survivor_receive(struct caucus_channel_runner *runner, int64_t slot);
void caucus_channel_survivor_receive_all(struct caucus_channel_runner *runner);
/* A new view begins. */
void caucus_channel_survivor_renew(struct caucus_channel_runner *runner);
void caucus_channel_survivor_move(struct caucus_channel_runner *runner);
void caucus_channel_survivor_finish_sends(struct caucus_channel_runner *runner);
/* After it was closed: until all others know. */
int caucus_channel_survivor_leave(struct caucus_channel_runner *runner);

/* A cast, or flush, if there is room, else *sequence is -1. Copies. */
int caucus_channel_survivor_begin(struct caucus_channel_runner *runner, int64_t call,
                                  const void *bytes, int64_t length, int64_t *sequence);
/* Puts a piece of an own message, with its header, to be sent. */
void caucus_channel_survivor_fill(struct caucus_channel_runner *runner,
                                  const struct caucus_channel_message *message,
                                  unsigned char *bytes);
bool caucus_channel_survivor_take(struct caucus_channel_runner *runner,
                                  struct caucus_channel_taken *taken);
/* Keeps a message of a rank, the next one of it, and lets go of what everybody has. */
void caucus_channel_survivor_keep(struct caucus_channel_runner *runner, int64_t rank,
                                  int64_t sequence, struct caucus_channel_piece *piece,
                                  int64_t length);
/* NULL: it is not kept. */
struct caucus_channel_piece *
caucus_channel_survivor_kept(const struct caucus_channel_runner *runner, int64_t rank,
                             int64_t sequence, int64_t *length);

#endif
