/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of at most so many bytes between any ranks of a private communicator, of which copies
 * are sent and nobody knows when they come. One thread at a time. */
#ifndef CAUCUS_RUN_MAIL_H
#define CAUCUS_RUN_MAIL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct caucus_mail;

struct caucus_mail_letter {
    int source, length;
    const void *bytes; /* valid until the next is taken */
};

/* What of a wait was in vain. All zero to begin with. */
struct caucus_mail_wait {
    int64_t round;
    double begin;
};

/* comm is taken over on success; it returns errors. Local. */
int caucus_mail_open(MPI_Comm comm, int most_bytes, struct caucus_mail **mail);

/* Sends a copy, which nobody waits for. */
int caucus_mail_send(struct caucus_mail *mail, int rank, const void *bytes, int length);

/* The next letter, if there is one. */
int caucus_mail_take(struct caucus_mail *mail, bool *taken, struct caucus_mail_letter *letter);

/* Between two looks in vain for letters of mail, or for something else (NULL): everything active
 * moves on, and long waits leave the processor to others. *seconds is how long it has lasted. */
void caucus_mail_pause(struct caucus_mail *mail, struct caucus_mail_wait *wait, bool (*also)(void),
                       double *seconds);

/* Receives what is still on its way, and frees it with its communicator. Collective if all, with
 * words where the others do not come within timeout seconds (0: as long as it takes); else what is
 * on its way is lost, and sends are left to MPI. also: as for caucus_mail_pause. */
int caucus_mail_close(struct caucus_mail *mail, bool all, bool (*also)(void), double timeout);

#endif
