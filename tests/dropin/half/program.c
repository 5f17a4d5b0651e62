/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of all forms, each completed in every way, a grid and a graph; built with -DAROUND=1
 * it calls what starts and completes them as PMPI_X, with -DFORTRAN=1 everything by fortran.c, but
 * for MPI_Init with -DMIXED=1. Says "right" at its end; wrong data ends it with status 3. Where
 * tool.c is in the process, each rank says how often it called what the tool wraps, and how often
 * that saw it. */
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NUMBER(name, ...) NUMBER_##name,
enum { ALL_CALLS(NUMBER) FUNCTIONS };
static int made[FUNCTIONS];
#define COUNT_OF(name) made[NUMBER_##name]++

#if FORTRAN
#define DECLARE(name, ...) int fortran_##name(); /* arguments are promoted to whole registers */
DECLARE(Init)
DECLARE(Wait)
DECLARE(Start)
OTHER_CALLS(DECLARE)
void mpi_wait_(void);
#define CALL(name) (COUNT_OF(name), fortran_##name)
#define MAKE(name) (COUNT_OF(name), fortran_##name)
#elif AROUND
#define CALL(name) (COUNT_OF(name), PMPI_##name)
#define MAKE(name) (COUNT_OF(name), MPI_##name)
#else
#define CALL(name) (COUNT_OF(name), MPI_##name)
#define MAKE(name) (COUNT_OF(name), MPI_##name)
#endif
#define LEFT(name) (COUNT_OF(name), MPI_##name)

#if MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
#define HAS_PERSISTENT 1
#endif

enum { WAYS = 10, TESTALL = 5, COUNT = 3 };

static int rank, size;

static void expect(int value, int expected, const char *what, int way) {
    if (value == expected)
        return;
    fprintf(stderr, "WRONG: %s, way %d: %d instead of %d\n", what, way, value, expected);
    fflush(stderr);
    _Exit(3);
}

/* Completes one in the given way. */
static void complete(MPI_Request *request, int way) {
    int flag = 0, index, count = 0;
    MPI_Status status;
    while (!flag) {
        flag = 1;
        switch (way) {
        case 0:
            CALL(Wait)(request, &status);
            break;
        case 1:
            CALL(Waitall)(1, request, &status);
            break;
        case 2:
            CALL(Waitany)(1, request, &index, &status);
            break;
        case 3:
            CALL(Waitsome)(1, request, &count, &index, &status);
            break;
        case 4:
            CALL(Test)(request, &flag, &status);
            break;
        case TESTALL:
            CALL(Testall)(1, request, &flag, &status);
            break;
        case 6:
            CALL(Testany)(1, request, &index, &flag, &status);
            break;
        case 7:
            CALL(Testsome)(1, request, &count, &index, &status);
            flag = count != 0;
            break;
        case 8:
            CALL(Request_get_status)(*request, &flag, &status);
            if (flag)
                CALL(Wait)(request, &status);
            break;
        default:
            CALL(Wait)(request, MPI_STATUS_IGNORE);
        }
    }
}

#if HAS_PERSISTENT
static void persistent(MPI_Comm comm) {
    int given[COUNT] = {0}, sum[COUNT];
    MPI_Request request;
    MAKE(Allreduce_init)(given, sum, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (int way = 0; way < WAYS; way++) {
        if (way == TESTALL) /* MPICH 5.0.2 says MPI_ERR_IN_STATUS, with no error in the status */
            continue;
        given[1] = rank + way;
        sum[1] = -1;
        if (way % 2)
            CALL(Start)(&request);
        else
            CALL(Startall)(1, &request);
        complete(&request, way);
        expect(sum[1], size * (size - 1) / 2 + size * way, "persistent", way);
    }
    CALL(Request_free)(&request);
}
#endif

static void nonblocking(MPI_Comm comm) {
    for (int way = 0; way < WAYS; way++) {
        int given = rank + way, sum = -1;
        MPI_Request request;
        MAKE(Iallreduce)(&given, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
        complete(&request, way);
        expect(sum, size * (size - 1) / 2 + size * way, "nonblocking", way);
    }
}

/* Even and odd ranks. */
static void between(void) {
    MPI_Comm half, inter;
    MAKE(Comm_split)(MPI_COMM_WORLD, rank % 2, rank, &half);
    MAKE(Intercomm_create)(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
    int others = rank % 2 ? (size + 1) / 2 : size / 2, sum = -1, expected = 0;
    int *gathered = malloc(sizeof *gathered * (size_t)size);
    for (int other = 1 - rank % 2; other < size; other += 2)
        expected += other;
    MAKE(Allreduce)(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    expect(sum, expected, "blocking, between groups", 0);
    for (int way = 0; way < WAYS; way++) {
        MPI_Request request;
        for (int i = 0; i < others; i++)
            gathered[i] = -1;
        MAKE(Iallgather)(&rank, 1, MPI_INT, gathered, 1, MPI_INT, inter, &request);
        complete(&request, way);
        for (int i = 0; i < others; i++)
            expect(gathered[i], 2 * i + 1 - rank % 2, "nonblocking, between groups", way);
    }
    free(gathered);
    LEFT(Comm_free)(&inter);
    LEFT(Comm_free)(&half);
}

static void blocking(void) {
    int dims[] = {size}, periods[] = {0}, sum = -1, one = 1;
    MPI_Comm grid;
    MAKE(Cart_create)(MPI_COMM_WORLD, 1, dims, periods, 1, &grid);
    MAKE(Allreduce)(&one, &sum, 1, MPI_INT, MPI_SUM, grid);
    expect(sum, size, "blocking", 0);
    LEFT(Comm_free)(&grid);
}

/* A ring: the sum of what comes from the left and goes there is known whoever has which place. */
static void graph(void) {
    int here, there[] = {(rank + 1) % size}, from[] = {(rank + size - 1) % size};
    int weights[] = {1}, sum = -1;
    MPI_Comm ring;
    MAKE(Dist_graph_create_adjacent)(MPI_COMM_WORLD, 1, from, weights, 1, there, weights,
                                     MPI_INFO_NULL, 1, &ring);
    LEFT(Comm_rank)(ring, &here);
    MAKE(Allreduce)(&here, &sum, 1, MPI_INT, MPI_SUM, ring);
    expect(sum, size * (size - 1) / 2, "graph", 0);
    LEFT(Comm_free)(&ring);
}

static void say_counts(void) {
    char line[4096];
    int length = snprintf(line, sizeof line, "counted"), seen;
    int (*counts)(const char *function);
    *(void **)&counts = dlsym(RTLD_DEFAULT, "half_tool_counts");
#define SAY(name, ...)                                                                             \
    seen = counts(#name);                                                                          \
    if (seen >= 0)                                                                                 \
        length += snprintf(line + length, sizeof line - (size_t)length, " %s=%d/%d", #name, seen,  \
                           made[NUMBER_##name]);
    if (counts) {
        ALL_CALLS(SAY)
        puts(line);
    }
}

int main(int argc, char **argv) {
#if MIXED
    LEFT(Init)(&argc, &argv);
#else
    MAKE(Init)(&argc, &argv);
#endif
    LEFT(Comm_rank)(MPI_COMM_WORLD, &rank);
    LEFT(Comm_size)(MPI_COMM_WORLD, &size);
#if HAS_PERSISTENT
    persistent(MPI_COMM_WORLD);
#endif
    nonblocking(MPI_COMM_WORLD);
    between();
    blocking();
    graph();
    MAKE(Finalize)();
    say_counts();
#if FORTRAN
    mpi_wait_();
#endif
    if (rank == 0)
        puts("right");
    return 0;
}
