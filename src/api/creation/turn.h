/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that a thread has begun to make by requests are made in MPI one after the other, in
 * the order of their beginnings. Those of other threads do not wait for them: other processes may
 * have begun them in another order. */
#ifndef CAUCUS_API_CREATION_TURN_H
#define CAUCUS_API_CREATION_TURN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct caucus_creation_turn {
    pthread_t thread; /* that has begun it */
    struct caucus_creation_turn *next;
};

void caucus_creation_turn_begin(struct caucus_creation_turn *turn);
bool caucus_creation_turn_has_come(const struct caucus_creation_turn *turn);
void caucus_creation_turn_end(struct caucus_creation_turn *turn); /* also of one never begun */

/* Before a call that waits inside MPI: until all that this thread has begun are made, while
 * everything moves on; or two ranks might each wait inside MPI for the other one to come to another
 * communicator. */
void caucus_creation_turns_await(void);

#endif
