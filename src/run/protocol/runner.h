/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries a protocol out (plan/protocol/protocol.h): brings it calls, messages, deaths and timers,
 * and does what it asks for. What a message and an outcome mean is its owner's business. One thread
 * at a time. */
#ifndef CAUCUS_RUN_PROTOCOL_RUNNER_H
#define CAUCUS_RUN_PROTOCOL_RUNNER_H

#include "plan/protocol/protocol.h"

enum { CAUCUS_RUNNER_TIMERS = 3 };

/* Called within a step, whose other actions follow: the owner stays until it is over. */
struct caucus_runner_binding {
    const struct caucus_protocol *protocol;
    int (*send)(void *owner, int32_t peer, const void *bytes, int64_t length);
    void (*decide)(void *owner, int64_t number, const void *bytes, int64_t length);
    void (*deliver)(void *owner, int32_t peer, const void *bytes, int64_t length); /* or NULL */
};

struct caucus_runner {
    const struct caucus_runner_binding *binding;
    const void *setup;
    void *owner;
    void *state;                      /* owned; NULL before it has begun */
    struct caucus_actions *actions;   /* of a step; runners that take turns may share them */
    int64_t done;                     /* so many of them are carried out */
    double due[CAUCUS_RUNNER_TIMERS]; /* by MPI_Wtime */
};

/* setup and actions outlive it. */
int caucus_runner_begin(struct caucus_runner *runner, const struct caucus_runner_binding *binding,
                        const void *setup, int32_t me, struct caucus_actions *actions, void *owner);
void caucus_runner_end(struct caucus_runner *runner);

/* Steps of up to so many actions, each with so many bytes, at most 64, need no more memory for
 * them. */
int caucus_runner_make_room(struct caucus_actions *actions, int64_t count, int64_t length);

/* A status is the protocol's, for want of memory, or what send() returned; the rest of the step is
 * not carried out then, unless caucus_runner_go_on does, from what has failed on: before anything
 * else uses the actions. */
int caucus_runner_step(struct caucus_runner *runner, const struct caucus_event *event);
int caucus_runner_go_on(struct caucus_runner *runner);
int caucus_runner_call(struct caucus_runner *runner, int64_t number, const void *bytes,
                       int64_t length);
int caucus_runner_hear(struct caucus_runner *runner, int32_t peer, const void *bytes,
                       int64_t length);
int caucus_runner_hear_death(struct caucus_runner *runner, int32_t peer);

/* A timer that has run out by now, if there is one: *found. The owner may be gone after the step,
 * so each is looked for anew. */
int caucus_runner_hear_timer(struct caucus_runner *runner, double now, bool *found);

bool caucus_runner_hears(const struct caucus_runner *runner, const struct caucus_event *event);

#endif
