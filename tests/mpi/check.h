/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK(condition, format, ...) ends the job where the condition does not hold, and says where. */
#ifndef TESTS_MPI_CHECK_H
#define TESTS_MPI_CHECK_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            check_failed(__FILE__, __LINE__, #condition), fprintf(stderr, "  " __VA_ARGS__),       \
                fprintf(stderr, "\n"), MPI_Abort(MPI_COMM_WORLD, 1), abort();                      \
    } while (0)

#define CHECK_MPI(call)                                                                            \
    do {                                                                                           \
        int check_code = (call);                                                                   \
        CHECK(check_code == MPI_SUCCESS, "it returned %d", check_code);                            \
    } while (0)

static inline int world_rank(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int world_size(void) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static atomic_int errors_ignored; /* threads may err at the same time */

static void ignore_error(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    atomic_fetch_add(&errors_ignored, 1);
}

/* Errors of comm come back as codes. Not MPI_ERRORS_RETURN: Intel MPI 2021.18 aborts all the same
 * in programs of the standard ABI. */
static inline void return_errors(MPI_Comm comm) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(ignore_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

static inline void check_failed(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: rank %d: failed: %s\n", file, line, world_rank(), condition);
}

#endif
