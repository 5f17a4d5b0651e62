/* SPDX-License-Identifier: BSD-3-Clause */
/* Ending a program with one sentence. */
#ifndef HEAT_STOP_H
#define HEAT_STOP_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Must be called by all processes of comm; its first one speaks for all. */
__attribute__((format(printf, 2, 3), noreturn)) static inline void
heat_stop_in(MPI_Comm comm, const char *format, ...) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        va_list arguments;
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
    MPI_Finalize();
    exit(EXIT_FAILURE);
}
#define heat_stop(...) heat_stop_in(MPI_COMM_WORLD, __VA_ARGS__)

/* For what goes wrong in one process alone: takes the others down. */
static inline void *heat_array(size_t count, size_t size) {
    void *array = calloc(count > 0 ? count : 1, size);
    if (array == NULL) {
        fprintf(stderr, "There is no memory for %zu cells.\n", count);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return array;
}

#endif
