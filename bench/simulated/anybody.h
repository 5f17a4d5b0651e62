/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives of a simulated program by hand, from anybody: as many posted receives as there are
 * ranks, looked at by turns, take time that grows with the square of the ranks. In the place of
 * common/rootless_inbox.h. */
#ifndef CAUCUS_BENCH_SIMULATED_ANYBODY_H
#define CAUCUS_BENCH_SIMULATED_ANYBODY_H

#include "../common/rootless_messages.h"

static MPI_Comm rootless_inbox = MPI_COMM_NULL;

static inline void rootless_inbox_open(const struct rootless *all, MPI_Comm comm) {
    (void)all;
    rootless_inbox = comm;
}

static inline void rootless_inbox_close(void) {}

/* Takes a message of anybody into all->message. */
static inline void rootless_inbox_take(struct rootless *all) {
    caucus_smpi_recv(all->message, (int)all->bytes, MPI_BYTE, MPI_ANY_SOURCE, 0, rootless_inbox);
}

/* Hears the next message, which a rank that has nothing else to do waits for. */
static inline void rootless_inbox_hear(struct rootless *all) {
    int there = caucus_smpi_patient;
    if (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, rootless_inbox, &there, MPI_STATUS_IGNORE);
    if (there) {
        rootless_inbox_take(all);
        rootless_hear(all, all->message, all->bytes);
    }
}

#endif
