/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs that show a fault of an MPI have in common. Each prints one verdict and ends by
 * itself: a hang ends after LIMIT seconds. The tests count a crash after `tries` as shown. */
#ifndef CAUCUS_TESTS_FAULT_H
#define CAUCUS_TESTS_FAULT_H

#include <mpi.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 2 };

static int rank, size;

/* From a signal handler too, hence write. */
static inline void show(const char *words) {
    ssize_t written = write(1, words, strlen(words));
    (void)written;
}

static inline void ended_by_alarm(int number) {
    (void)number;
    show("fault shown: a call does not return\n");
    _exit(0);
}

/* Everything before this is no part of the fault. The last ones to come find the others waiting, so
 * that the alarm is the fault's. */
static inline void tries(void) {
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        show("fault tried\n");
    signal(SIGALRM, ended_by_alarm);
    alarm(LIMIT);
}

static inline void begin(int *argc, char ***argv, int wanted, int *provided) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Init_thread(argc, argv, wanted, provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    if (rank == 0)
        printf("%s\n", version);
    fflush(stdout);
}

/* Whether it is shown on any rank; collective, so it comes after what may hang. */
static inline int verdict(bool shown) {
    int mine = shown, any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    alarm(0);
    if (rank == 0)
        show(any ? "fault shown\n" : "fault not shown\n");
    MPI_Finalize();
    return 0;
}

/* A verdict of one rank alone, where the others can't be trusted to come. */
static inline void verdict_alone(bool shown) {
    show(shown ? "fault shown\n" : "fault not shown\n");
    _exit(0);
}

static inline bool completes(MPI_Request *request) {
    int done = 0;
    for (double start = MPI_Wtime(); !done && MPI_Wtime() - start < LIMIT - 1;)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return done;
}

#endif
