/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from each other rank, always posted: what a program by hand would do. */
#ifndef CAUCUS_BENCH_ROOTLESS_INBOX_H
#define CAUCUS_BENCH_ROOTLESS_INBOX_H

#include "rootless_messages.h"

#include <sched.h>

static struct {
    MPI_Request *receive; /* of each rank, null of the own */
    unsigned char *bytes;
    int *came;
    int size, next; /* next: whom to look at first */
} rootless_inbox;

static inline void rootless_inbox_open(const struct rootless *all, MPI_Comm comm) {
    size_t size = (size_t)all->size;
    rootless_inbox.receive = malloc(size * sizeof(MPI_Request));
    rootless_inbox.bytes = malloc(size * (size_t)all->bytes);
    rootless_inbox.came = malloc(size * sizeof(int));
    rootless_inbox.size = all->size;
    for (int from = 0; from < all->size; from++) {
        rootless_inbox.receive[from] = MPI_REQUEST_NULL;
        if (from == all->rank)
            continue;
        MPI_Recv_init(rootless_inbox.bytes + from * all->bytes, (int)all->bytes, MPI_BYTE, from, 0,
                      comm, &rootless_inbox.receive[from]);
        MPI_Start(&rootless_inbox.receive[from]);
    }
}

static inline void rootless_inbox_close(void) {
    for (int i = 0; i < rootless_inbox.size; i++)
        if (rootless_inbox.receive[i] != MPI_REQUEST_NULL) {
            MPI_Cancel(&rootless_inbox.receive[i]);
            MPI_Wait(&rootless_inbox.receive[i], MPI_STATUS_IGNORE);
            MPI_Request_free(&rootless_inbox.receive[i]);
        }
    free(rootless_inbox.receive);
    free(rootless_inbox.bytes);
    free(rootless_inbox.came);
}

/* Hears all that has come. */
static inline void rootless_inbox_hear(struct rootless *all) {
    for (int count = 1; count > 0;) {
        MPI_Testsome(all->size, rootless_inbox.receive, &count, rootless_inbox.came,
                     MPI_STATUSES_IGNORE);
        for (int i = 0; i < count; i++) {
            int from = rootless_inbox.came[i];
            rootless_hear(all, rootless_inbox.bytes + from * all->bytes, all->bytes);
            MPI_Start(&rootless_inbox.receive[from]);
        }
    }
}

/* Takes a message of anybody, by turns, into all->message. */
static inline void rootless_inbox_take(struct rootless *all) {
    for (int flag = 0;;) {
        int from = rootless_inbox.next++ % all->size;
        if (from != all->rank)
            MPI_Test(&rootless_inbox.receive[from], &flag, MPI_STATUS_IGNORE);
        if (flag) {
            memcpy(all->message, rootless_inbox.bytes + from * all->bytes, (size_t)all->bytes);
            MPI_Start(&rootless_inbox.receive[from]);
            return;
        }
        if (all->yields && from == all->size - 1)
            sched_yield();
    }
}

#endif
