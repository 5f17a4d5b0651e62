/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that ends itself, or where MPI would end the others too, freezes in the midst of what
 * the library says to MPI: the functions by which it sends and receives are taken over here, and
 * the one call that was chosen is its last. And what processes tell each other apart from MPI,
 * which a dead one has told all the same. */
#ifndef TESTS_MPI_ALIVE_KILLS_H
#define TESTS_MPI_ALIVE_KILLS_H

#include "check.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_RANKS = 64, NEVER_DIES = -1 };

enum told { NOTHING, GROUP, NO_GROUP, IN_DOUBT };

struct board {
    _Atomic int over;
    struct line {
        _Atomic int stage; /* how far it has come */
        _Atomic int told, size, dead;
        _Atomic uint64_t list; /* hash of the members */
        _Atomic uint64_t microseconds;
    } line[MOST_RANKS];
};

static struct board *board;
static int steps_left = NEVER_DIES;
static int detected; /* whether MPI tells of deaths */

/* All ranks of MPI_COMM_WORLD, all of which live. */
static inline void make_board(void) {
    char name[64] = "";
    if (world_rank() == 0)
        snprintf(name, sizeof name, "/dev/shm/caucus_alive_%ld", (long)getpid());
    CHECK_MPI(MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD));
    int file = open(name, O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && ftruncate(file, sizeof *board) == 0, "%s", name);
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(board != MAP_FAILED, "%s", name);
    close(file);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    unlink(name);
}

static inline void die(void) {
    board->line[world_rank()].dead = 1;
    if (detected)
        kill(getpid(), SIGKILL);
    while (!board->over)
        usleep(1000);
    _exit(0);
}

static inline void count_step(void) {
    if (steps_left != NEVER_DIES && steps_left-- == 0)
        die();
}

/* The library calls these; those of MPI come behind them. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request *request) {
    static int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Isend");
    count_step();
    return real(buffer, count, type, rank, tag, comm, request);
}

int PMPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
               MPI_Status *status) {
    static int (*real)(void *, int, MPI_Datatype, MPI_Message *, MPI_Status *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Mrecv");
    int code = real(buffer, count, type, message, status);
    count_step();
    return code;
}

/* Before it and after it. */
int PMPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                MPI_Request *request) {
    static int (*real)(void *, int, MPI_Datatype, MPI_Message *, MPI_Request *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Imrecv");
    count_step();
    int code = real(buffer, count, type, message, request);
    count_step();
    return code;
}

#endif
