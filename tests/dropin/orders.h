/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective of 1,000 doubles is active; some ranks complete it and then make a call that
 * involves all, others make the call and then complete it. Natively none of these programs hangs.
 * Each case has a time limit of its own, which names it. */
#ifndef TESTS_DROPIN_ORDERS_H
#define TESTS_DROPIN_ORDERS_H

#include "persistent.h"

#include <signal.h>

enum { OF_ORDERS = 1000, LIMIT_OF_A_CASE = 60 /* seconds */ };

struct orders_case {
    const char *name;
    void (*call)(void);
};

/* Who completes the collective first. */
static inline int rank_0_first(int rank) {
    return rank == 0;
}

static inline int others_first(int rank) {
    return rank > 0;
}

static inline int odd_first(int rank) {
    return rank % 2;
}

static const struct {
    const char *name;
    int (*completes_first)(int rank);
} orders[] = {{"rank 0 completes, then calls", rank_0_first},
              {"rank 0 calls, then completes", others_first},
              {"odd ranks complete, then call", odd_first}};

static double orders_in[OF_ORDERS], orders_out[OF_ORDERS];
static MPI_Request orders_request = MPI_REQUEST_NULL;
static char orders_text[256]; /* of the case that runs */

static inline void orders_too_late(int signal) {
    static const char words[] = "hangs: ";
    (void)signal;
    if (write(2, words, sizeof words - 1) < 0 || write(2, orders_text, strlen(orders_text)) < 0)
        _exit(2);
    _exit(1);
}

/* Nonblocking, on comm; or the persistent one that was made. */
static inline void orders_start(MPI_Comm nonblocking, int turn) {
    for (int i = 0; i < OF_ORDERS; i++) {
        orders_in[i] = i + turn + world_rank();
        orders_out[i] = -1;
    }
    if (nonblocking == MPI_COMM_NULL)
        MPI_Start(&orders_request);
    else
        MPI_Iallreduce(orders_in, orders_out, OF_ORDERS, MPI_DOUBLE, MPI_SUM, nonblocking,
                       &orders_request);
}

/* What comes of it: the sum over all of the world, or over the other group of an
 * intercommunicator. */
static inline void orders_finish(MPI_Comm nonblocking, int turn) {
    int inter = 0, first = 0, end = world_size();
    MPI_Wait(&orders_request, MPI_STATUS_IGNORE);
    if (nonblocking != MPI_COMM_NULL)
        MPI_Comm_test_inter(nonblocking, &inter);
    if (inter && world_rank() < end / 2)
        first = end / 2;
    else if (inter)
        end = end / 2;
    for (int i = 0; i < OF_ORDERS; i++) {
        double sum = 0;
        for (int rank = first; rank < end; rank++)
            sum += i + turn + rank;
        CHECK(orders_out[i] == sum, "%s: %d: %g instead of %g", orders_text, i, orders_out[i], sum);
    }
}

static inline void orders_of(const struct orders_case *one, MPI_Comm nonblocking) {
    for (size_t order = 0; order < sizeof orders / sizeof *orders; order++) {
        int first = orders[order].completes_first(world_rank());
        snprintf(orders_text, sizeof orders_text, "%s, %s, %s (rank %d)\n", one->name,
                 nonblocking == MPI_COMM_NULL ? "persistent" : "nonblocking", orders[order].name,
                 world_rank());
        alarm(LIMIT_OF_A_CASE);
        orders_start(nonblocking, (int)order);
        if (first)
            orders_finish(nonblocking, (int)order);
        one->call();
        if (!first)
            orders_finish(nonblocking, (int)order);
        alarm(0);
    }
}

static inline int orders_leaves_out(const char *name, char **names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* All but those named, whose list ends with NULL. With nonblocking calls on comm, or with a
 * persistent one if that is null. */
static inline void orders_run(const struct orders_case *cases, size_t count, char **left_out,
                              MPI_Comm nonblocking) {
    signal(SIGALRM, orders_too_late);
    if (nonblocking == MPI_COMM_NULL)
        MPI_Allreduce_init(orders_in, orders_out, OF_ORDERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &orders_request);
    for (size_t i = 0; i < count; i++)
        if (!orders_leaves_out(cases[i].name, left_out))
            orders_of(&cases[i], nonblocking);
    if (nonblocking == MPI_COMM_NULL)
        MPI_Request_free(&orders_request);
}

#endif
