/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line that the benchmarks of grids share. */
#ifndef CAUCUS_BENCH_ARGUMENTS_H
#define CAUCUS_BENCH_ARGUMENTS_H

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES_MOST = 10, SIZES_MOST = 64 };

struct arguments {
    int ndims;
    int dims[AXES_MOST]; /* ndims 0: MPI_Dims_create in two dimensions */
    int periods[AXES_MOST];
    int nsizes;
    long sizes[SIZES_MOST];
    int repetitions;
    double seconds; /* that one measurement should take */
    const char *json;
};

/* All processes read the same command line and come to the same end. */
__attribute__((noreturn)) static inline void arguments_bad(const char *name, const char *text) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr,
                "%s %s is not understood.\n"
                "Options: --dims 8x4  --periodic [0,2]  --sizes 1024,65536  --repetitions 5\n"
                "         --seconds 0.5 (each measurement)  --json FILE\n",
                name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

/* Reads numbers from least on, joined by separator; returns how many. */
static inline int arguments_list(const char *name, const char *text, char separator, long least,
                                 int most, long *values) {
    const char *at = text;
    for (int count = 0; count < most; count++) {
        char *end;
        errno = 0;
        values[count] = strtol(at, &end, 10);
        if (end == at || errno != 0 || values[count] < least || values[count] > 1L << 30)
            break;
        if (*end == '\0')
            return count + 1;
        if (*end != separator)
            break;
        at = end + 1;
    }
    arguments_bad(name, text);
}

static inline void arguments_dims(struct arguments *arguments, const char *text) {
    long values[AXES_MOST];
    arguments->ndims = arguments_list("--dims", text, 'x', 1, AXES_MOST, values);
    for (int axis = 0; axis < arguments->ndims; axis++)
        arguments->dims[axis] = (int)values[axis];
}

static inline void arguments_periodic(struct arguments *arguments, const char *text) {
    long values[AXES_MOST];
    int count = 0;
    if (text == NULL)
        for (; count < AXES_MOST; count++)
            values[count] = count;
    else
        count = arguments_list("--periodic", text, ',', 0, AXES_MOST, values);
    for (int i = 0; i < count; i++)
        if (values[i] < AXES_MOST)
            arguments->periods[values[i]] = 1;
}

static inline struct arguments arguments_read(int argc, char **argv, const char *sizes) {
    struct arguments arguments = {.repetitions = 5, .seconds = 0.2};
    long repetitions;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--periodic") == 0) {
            int given = text != NULL && text[0] != '-';
            arguments_periodic(&arguments, given ? text : NULL);
            i += given;
            continue;
        }
        if (text == NULL)
            arguments_bad(name, "");
        i++;
        if (strcmp(name, "--dims") == 0) {
            arguments_dims(&arguments, text);
        } else if (strcmp(name, "--sizes") == 0) {
            sizes = text;
        } else if (strcmp(name, "--repetitions") == 0) {
            arguments_list(name, text, '\0', 1, 1, &repetitions);
            arguments.repetitions = (int)repetitions;
        } else if (strcmp(name, "--seconds") == 0) {
            arguments.seconds = atof(text);
        } else if (strcmp(name, "--json") == 0) {
            arguments.json = text;
        } else {
            arguments_bad(name, text);
        }
    }
    arguments.nsizes = arguments_list("--sizes", sizes, ',', 1, SIZES_MOST, arguments.sizes);
    return arguments;
}

#endif
