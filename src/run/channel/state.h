/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a channel's runner share. */
#ifndef CAUCUS_RUN_CHANNEL_STATE_H
#define CAUCUS_RUN_CHANNEL_STATE_H

#include "run/channel/bundle.h"
#include "run/channel/runner.h"

enum { CAUCUS_CHANNEL_CONTROLS = 32 }; /* receives for messages without data */

/* A piece on its way out or being delivered: a slot of a link, or a piece of an own message. */
struct caucus_channel_piece {
    int64_t users;        /* sends, a callback, and of an own one the slot it stands in */
    bool own;             /* freed with its last user */
    unsigned char *bytes; /* header and payload */
};

/* An own message of which not all pieces have been made. */
struct caucus_channel_record {
    int64_t sequence, total;
    int64_t casts; /* that it is made of */
    const unsigned char *bytes;
    unsigned char *copy; /* bytes, if they are the runner's; NULL else */
    struct caucus_channel_record *next;
};

struct caucus_channel_link {
    int32_t rank;
    int64_t arrived;
    int64_t restarted; /* receives beyond the first of each slot */
    int64_t freed;     /* as the protocol says: credits go out when receives are restarted */
};

struct caucus_channel_runner {
    struct caucus_engine *engine;
    MPI_Comm comm;
    struct caucus_channel_setup setup;
    struct caucus_node_map nodes;
    struct caucus_channel_user user;
    void *state;
    struct caucus_actions actions;
    struct caucus_channel_link *link;    /* setup.sources */
    struct caucus_channel_piece *slot;   /* of links */
    struct caucus_channel_piece **piece; /* setup.credits, of own messages; may be NULL */
    unsigned char *memory;               /* of slots */
    MPI_Request *receive;                /* of slots */
    struct caucus_channel_message control[CAUCUS_CHANNEL_CONTROLS];
    MPI_Request control_receive[CAUCUS_CHANNEL_CONTROLS];
    int64_t controls;  /* that came */
    MPI_Request *next; /* receives: of messages without data, and of each link */
    MPI_Status *told;
    int *came;
    struct caucus_channel_record *first, *last;
    struct caucus_channel_bundle bundle; /* casts after those */
    unsigned char *assembly;             /* setup.memory, or NULL */
    MPI_Request *send;
    struct caucus_channel_piece **sent;
    int *completed;
    int sends, send_room;
    int64_t casts, own_taken; /* own messages; in a total order, those that have come back */
    int64_t decided;          /* calls, as bits */
    bool moved;               /* something has come since the last pause */
    int64_t moved_round;      /* when this was last seen */
    bool inside, started;
    bool closing; /* nothing can be cast any more */
    int rank, status;
};

/* One step of the protocol and what it asks for. */
void caucus_channel_runner_step(struct caucus_channel_runner *runner,
                                const struct caucus_event *event);
void caucus_channel_runner_call(struct caucus_channel_runner *runner, int64_t number,
                                const int64_t *bytes);
bool caucus_channel_runner_hears(const struct caucus_channel_runner *runner, int64_t number);

/* Where a message lies; an own one is put there first if need be. NULL without memory. */
struct caucus_channel_piece *caucus_channel_runner_piece(struct caucus_channel_runner *runner,
                                                         const struct caucus_channel_message *m);
void caucus_channel_runner_let_go(struct caucus_channel_piece *piece);
/* Sends length bytes of a piece, and keeps it until they are gone. */
void caucus_channel_runner_send(struct caucus_channel_runner *runner, int32_t to, int tag,
                                struct caucus_channel_piece *piece, int64_t length);
void caucus_channel_runner_control(struct caucus_channel_runner *runner, int32_t to,
                                   const struct caucus_channel_message *message);
void caucus_channel_runner_receive(struct caucus_channel_runner *runner);
/* Has everybody who got credits say that they have come. */
void caucus_channel_runner_ask(struct caucus_channel_runner *runner);
void caucus_channel_runner_store(struct caucus_channel_runner *runner,
                                 const struct caucus_channel_message *message);

/* Remembers the first thing that went wrong. */
static inline bool caucus_channel_runner_good(struct caucus_channel_runner *runner, int status) {
    if (!runner->status)
        runner->status = status;
    return status == 0;
}

enum { CAUCUS_CHANNEL_TAG_DATA, CAUCUS_CHANNEL_TAG_CONTROL };

#endif
