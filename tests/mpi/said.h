/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks say they wait for when one that comes late asks them (CAUCUS_SIGNAL=USR2). */
#ifndef TESTS_MPI_SAID_H
#define TESTS_MPI_SAID_H

#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST_RANKS = 16, SOON = 300000, LATER = 600000 /* microseconds */ };

static pid_t process[MOST_RANKS];
static FILE *said;
static int standard_error;
static char text[10000]; /* what this rank has said last */

static inline void all_came(void);

/* An abort tells its reason in the file. */
static inline void show_rest(void) {
    if (!said)
        return;
    all_came();
    fputs(text, stderr);
}

static inline void find_processes(void) {
    pid_t own = getpid();
    atexit(show_rest);
    CHECK(world_size() <= MOST_RANKS, "for fewer ranks");
    MPI_Allgather(&own, sizeof own, MPI_BYTE, process, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
}

static inline void ask_others(void) {
    usleep(SOON);
    for (int rank = 0; rank < world_size(); rank++)
        if (rank != world_rank())
            kill(process[rank], SIGUSR2);
    usleep(LATER);
}

/* What is said from here on goes to a file. The late one asks the others when they wait. */
static inline void all_but(int late) {
    MPI_Barrier(MPI_COMM_WORLD);
    fflush(stderr);
    said = tmpfile();
    CHECK(said, "no file");
    standard_error = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    if (world_rank() == late)
        ask_others();
}

/* And from here on it does not. */
static inline void all_came(void) {
    fflush(stderr);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    rewind(said);
    text[fread(text, 1, sizeof text - 1, said)] = '\0';
    fclose(said);
    said = NULL;
}

static inline void expect_said(int rank, const char *words) {
    CHECK(world_rank() != rank || strstr(text, words), "'%s' is not in '%s'", words, text);
}

#endif
