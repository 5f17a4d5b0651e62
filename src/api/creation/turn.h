/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that members make by requests are made in MPI one after the other in each process,
 * in the order of their beginnings. */
#ifndef CAUCUS_API_CREATION_TURN_H
#define CAUCUS_API_CREATION_TURN_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_creation_turn {
    int64_t number; /* from 1 on */
    struct caucus_creation_turn *next;
};

void caucus_creation_turn_begin(struct caucus_creation_turn *turn);
bool caucus_creation_turn_has_come(const struct caucus_creation_turn *turn);
void caucus_creation_turn_end(struct caucus_creation_turn *turn); /* also of one never begun */

/* Before a call that waits inside MPI: until all that have begun before in this process are made,
 * while everything moves on; or two ranks might each wait inside MPI for the other one to come to
 * another communicator. Those that other threads begin from now on have nothing to do with it. */
void caucus_creation_turns_await(void);

#endif
