/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between any ranks of a communicator, on one tag of it, of which nobody knows when they
 * come. Copies are sent, and nobody waits for that. They are received one after the other, by
 * matched probes: no receive from MPI_ANY_SOURCE is posted, since with MPICH 5.0.2 one whose
 * message has come from another node before it is started never completes. One thread at a time;
 * nothing waits.
 *
 * Memory: what is being sent, the longest message that has come, and what is kept ready. */
#ifndef CAUCUS_RUN_PROTOCOL_MAILBOX_H
#define CAUCUS_RUN_PROTOCOL_MAILBOX_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct caucus_mailbox_send;

struct caucus_mailbox {
    MPI_Comm comm;
    int tag;                                  /* used by nothing else on comm */
    struct caucus_mailbox_send *first, *last; /* being sent, oldest first */
    struct caucus_mailbox_send *spare;        /* reserved */
    struct caucus_mailbox_send *last_resort;  /* not being sent now */
    bool survives; /* what is for somebody dead, or came from him in part, is dropped; else it is an
                      error, as is to look for messages once MPI tells of a death */
    bool deaths;   /* if it survives: some were found, which its owner may forget again */
    int64_t sent, received; /* messages so far */
    MPI_Request receiving;  /* into the bytes, or MPI_REQUEST_NULL */
    int64_t room;
    void *bytes;
    MPI_Message kept; /* that there was no memory for, or MPI_MESSAGE_NULL */
    MPI_Status kept_status;
    int latest_source; /* of what was taken last, which is in the bytes */
    int64_t latest_length;
    bool again; /* and is the next */
};

struct caucus_mailbox_message {
    int source;
    int64_t length;    /* bytes */
    const void *bytes; /* aligned as by malloc; valid until the next is taken */
};

/* With memory for messages of so many bytes, which need no more then. Local; closed on failure. */
int caucus_mailbox_open(struct caucus_mailbox *mailbox, MPI_Comm comm, int tag, int64_t room,
                        bool survives);

/* The next so many messages of up to so many bytes need no memory. Replaces what was reserved. */
int caucus_mailbox_reserve(struct caucus_mailbox *mailbox, int64_t count, int64_t length);

/* Messages of up to so many bytes never fail for want of memory from now on: as many as `count` are
 * kept ready at a time, and one more waits until MPI has sent one of those. Once. Closed on
 * failure. */
int caucus_mailbox_keep_ready(struct caucus_mailbox *mailbox, int64_t count, int64_t length);

/* Sends a copy of head and, right behind it, body. */
int caucus_mailbox_send(struct caucus_mailbox *mailbox, int rank, const void *head,
                        int64_t head_bytes, const void *body, int64_t body_bytes);

/* The next message, if there is one: of each sender in the order in which they were sent. One that
 * there is no memory for is the next again. */
int caucus_mailbox_take(struct caucus_mailbox *mailbox, bool *taken,
                        struct caucus_mailbox_message *message);

/* What was taken last could not be dealt with, and is the next again: the same bytes. */
void caucus_mailbox_again(struct caucus_mailbox *mailbox);

/* Frees the memory of what MPI has sent by now; whether nothing is being sent any more. */
bool caucus_mailbox_sweep(struct caucus_mailbox *mailbox);

/* Whether no message is on its way in. */
bool caucus_mailbox_rests(struct caucus_mailbox *mailbox);

/* What is being sent is left to MPI, which may read it yet, with its memory; before MPI_Finalize
 * what MPI has sent is freed. A message on its way in is given up. */
void caucus_mailbox_close(struct caucus_mailbox *mailbox);

#endif
