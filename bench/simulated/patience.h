/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that poll are dear to simulate: each look is an event. While caucus_smpi_patient is set,
 * who gives the processor away after a look in vain naps a microsecond at the next look at its
 * receives, else at once. It does not wait for these: what comes next may be for a probe to find.
 * Set only where nothing but messages ends a wait, and sends complete by themselves. Included
 * before the files that poll in a measured loop, in a build for SMPI. Looks take no time of
 * themselves: smpi/test is to be 0. */
#ifndef CAUCUS_BENCH_SIMULATED_PATIENCE_H
#define CAUCUS_BENCH_SIMULATED_PATIENCE_H

#include "distance.h"

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#define CAUCUS_PATIENT

/* Of each rank: its variables are its own. sends: some are under way, whose end is to be seen. */
__attribute__((weak)) bool caucus_smpi_patient, caucus_smpi_waits, caucus_smpi_sends;

static inline int caucus_smpi_nap(long nanoseconds) {
    struct timespec nap = {.tv_nsec = nanoseconds};
    return nanosleep(&nap, NULL);
}

static inline int caucus_smpi_yield(void) {
    caucus_smpi_waits = caucus_smpi_patient;
    return caucus_smpi_patient ? 0 : caucus_smpi_nap(1000);
}

/* A look at receives is one event, and finds one. Looks at sends ignore what is told of them. */
static inline int caucus_smpi_testsome(int requests, MPI_Request *request, int *count, int *index,
                                       MPI_Status *told) {
    if (told == MPI_STATUSES_IGNORE) {
        int code = PMPI_Testsome(requests, request, count, index, told);
        caucus_smpi_sends = *count != MPI_UNDEFINED && *count < requests;
        return code;
    }
    int code = PMPI_Testany(requests, request, index, count, told);
    if (!code && !*count && caucus_smpi_waits && caucus_smpi_sends) {
        caucus_smpi_nap(200);
    } else if (!code && !*count && caucus_smpi_waits) {
        caucus_smpi_nap(1000);
    }
    caucus_smpi_waits = caucus_smpi_sends =
        false; /* sends are looked at before, if there are any */
    if (*index == MPI_UNDEFINED)
        *count = 0;
    if (*count)
        caucus_smpi_far(told->MPI_SOURCE, MPI_COMM_WORLD); /* the channel is of all ranks */
    return code;
}

#define PMPI_Testsome caucus_smpi_testsome
#define sched_yield caucus_smpi_yield

#endif
