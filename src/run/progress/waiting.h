/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank passes the time until another has done something. */
#ifndef CAUCUS_RUN_PROGRESS_WAITING_H
#define CAUCUS_RUN_PROGRESS_WAITING_H

#include <mpi.h>
#include <stdint.h>

enum { CAUCUS_LEAST_SPINS = 16, CAUCUS_MOST_SPINS = 2048 }; /* some 40 microseconds */

/* What waits of one kind have in common. */
struct caucus_waiting {
    MPI_Comm comm; /* whose messages MPI is to look after: nothing ever comes from */
    int self;      /* this rank of it */
    _Atomic int spins;
};

/* Has MPI look after its own messages, which others may wait for: they move on only while somebody
 * calls MPI. */
void caucus_waiting_poke(const struct caucus_waiting *waiting);

/* Between two looks, of which round have been in vain. Spinning is best while everybody has a
 * processor; where several share one, long waits nap. */
void caucus_waiting_pause(const struct caucus_waiting *waiting, int64_t round);

/* The same for a few short messages of MPI's that follow one another, where a nap would take longer
 * than all of them. Some MPIs give the processor away whenever they have found nothing, and look
 * before that, not afterwards: so it is not given away after every look. */
void caucus_waiting_brief(const struct caucus_waiting *waiting, int64_t round);

/* Rounds of a wait between looks at the clock. */
enum { CAUCUS_ROUNDS_PER_CLOCK = 64 };

/* After a wait of so many rounds: how long the next ones spin. */
void caucus_waiting_learn(struct caucus_waiting *waiting, int64_t rounds);

/* Until an MPI request is through, while everything moves on. */
int caucus_waiting_request(MPI_Request *request);

/* The same, with what MPI says of it. */
int caucus_waiting_status(MPI_Request *request, MPI_Status *said);

/* Until a message of that tag has come, which is to be received now, while everything moves on and
 * long waits leave the processor to others. At once where MPI errs, perhaps for a death elsewhere:
 * the receive tells of what concerns it. */
void caucus_waiting_message(const struct caucus_waiting *waiting, MPI_Comm comm, int tag);

/* Nobody waits for it any more: a receive is cancelled. */
void caucus_waiting_abandon(MPI_Request *request);

/* Memory that MPI may still send from, or receive into, stays for good, in a list, so that it is
 * not taken for a leak. NULL does nothing. */
void caucus_waiting_leave(void *memory);

#endif
