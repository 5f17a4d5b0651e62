/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from any rank, one after the other, by matched probes. No receive from MPI_ANY_SOURCE is
 * posted: with MPICH 5.0.2 one whose message has come from another node before it is started never
 * completes. One thread at a time. */
#ifndef CAUCUS_RUN_FROM_ANY_H
#define CAUCUS_RUN_FROM_ANY_H

#include <mpi.h>
#include <stdbool.h>

/* comm, tag, bytes and most are given by who uses it; most: the longest message, in bytes. */
struct caucus_from_any {
    MPI_Comm comm;
    int tag, most;
    void *bytes;         /* of the message that came last */
    MPI_Request request; /* MPI_REQUEST_NULL, or of one that is on its way into them */
};

/* The next message, if it is there: of each sender in the order in which they were sent. */
int caucus_from_any_take(struct caucus_from_any *from, bool *came, MPI_Status *status);

/* Whether nothing is on its way into the bytes, so that they may be freed. What is cannot be
 * cancelled. */
bool caucus_from_any_rests(struct caucus_from_any *from);

#endif
