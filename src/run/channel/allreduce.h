/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions that any rank opens, and whose outcome everybody is told: a question, and a cast that
 * is marked as its outcome.
 *
 * Where all are to contribute, the answers climb the question's tree. With a quorum of fewer they
 * would wait there for the slowest of each subtree, so each goes to the opener by itself, and to
 * the protocol the question is answered when it was taken. Late ones are dropped; with the outcome
 * goes a bit for each rank, by which it knows whether it is in. */
#ifndef CAUCUS_RUN_CHANNEL_ALLREDUCE_H
#define CAUCUS_RUN_CHANNEL_ALLREDUCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct caucus_channel_runner;
struct caucus_channel_message;
struct caucus_channel_delivered;
struct caucus_channel_taken;

enum caucus_channel_stage {
    CAUCUS_CHANNEL_IDLE,
    CAUCUS_CHANNEL_ASKED, /* contributions are awaited */
    CAUCUS_CHANNEL_FIXED, /* the outcome has no room yet; no cast overtakes it */
    CAUCUS_CHANNEL_TOLD   /* outside total orders: all but this rank's own user */
};

enum { CAUCUS_CHANNEL_DUE_TO_ALL = -1 };

struct caucus_channel_allreduce {
    enum caucus_channel_stage stage;
    int64_t number; /* of this rank's, from 1; of the last one while IDLE */
    int32_t quorum, contributions;
    bool silent; /* a question: nobody is told the outcome but who asked */
    bool kept;   /* a call waits for the outcome: no other one begins before it has got it */
    bool again;  /* it came back, and is to be made again, with the same bytes: */
    int64_t length;
    uint64_t digest;
    pthread_t asker;        /* who may ask nothing else before that */
    unsigned char *outcome; /* answer_bytes, and what tells who is in */
    int64_t *due; /* of each origin, without deliver: the question that was received, and neither
                     answered nor told the outcome of; its number if it has a quorum; 0: none */
};

/* All that were asked have answered. */
void caucus_channel_allreduce_decided(struct caucus_channel_runner *runner);
/* To the opener of a question with a quorum, and what came of another rank. */
void caucus_channel_allreduce_contribute(struct caucus_channel_runner *runner, int32_t origin,
                                         int64_t number, const void *answer);
void caucus_channel_allreduce_hear(struct caucus_channel_runner *runner, int32_t peer,
                                   int64_t number, const void *answer, int64_t length);
/* Casts the outcome, if it is fixed and there is room. */
void caucus_channel_allreduce_pass(struct caucus_channel_runner *runner);
/* Bytes of an own outcome that waits for this rank's user; -1: there is none. */
int64_t caucus_channel_allreduce_waits(const struct caucus_channel_runner *runner);
bool caucus_channel_allreduce_take(struct caucus_channel_runner *runner,
                                   struct caucus_channel_taken *taken);
/* Whether it is the mark of a question. */
bool caucus_channel_allreduce_asks(int64_t mark);
/* What the header of a message that is delivered says of it. */
void caucus_channel_allreduce_read(const struct caucus_channel_runner *runner, int64_t mark,
                                   struct caucus_channel_delivered *delivered);
/* Without deliver: this was received; and this rank's answer, false if none is due there, nor was
 * to one who has died. */
void caucus_channel_allreduce_received(struct caucus_channel_runner *runner,
                                       const struct caucus_channel_delivered *delivered);
/* Who has died is owed nothing. */
void caucus_channel_allreduce_hear_death(struct caucus_channel_runner *runner, int32_t origin);
bool caucus_channel_allreduce_reply(struct caucus_channel_runner *runner, int32_t origin,
                                    const void *answer);
/* Who is waited for, in words; false if that is not it. */
bool caucus_channel_allreduce_explain(const struct caucus_channel_runner *runner, char *text,
                                      int64_t size);
int caucus_channel_allreduce_reserve(struct caucus_channel_runner *runner);
void caucus_channel_allreduce_free(struct caucus_channel_runner *runner);

#endif
