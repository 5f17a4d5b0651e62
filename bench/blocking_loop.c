/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeated blocking collectives, native and ours by turns in the same run: nanoseconds of a call,
 * the mean of all ranks, medians of blocks, and native over ours. Twice: a loop of calls, and as
 * the Intel MPI Benchmarks have it, with a barrier of the same kind after each call, whose time
 * does not count. Where the drop-in is preloaded, "dropin" has ours be what MPI's names lead to.
 *
 *   mpiexec -n 2 build/mpich/bin/blocking_loop [zero | all] [dropin]
 *
 * zero: calls of 0 bytes alone, which is what a call costs before its work begins. */
#include "common/sample.h"

#include <caucus/collective.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <time.h>

enum { BLOCKS = 11, MOST_BYTES = 65536 };
enum way { NATIVE, LIBRARY, DROPIN, WAYS };
enum shape { LOOP, BARRIERS, SHAPES };

static int rank, size;

struct cell {
    int bytes;
    char *in, *out;
    MPI_Comm comm;
};

struct collective {
    const char *name;
    void (*find)(void);
    int (*call[WAYS])(const struct cell *);
};

/* The drop-in leaves a program alone that calls PMPI_Bcast by that name, so it is looked up. The
 * lists hold the types of the arguments, and the arguments. */
#define IN_ALL_WAYS(lower, Upper, types, ...)                                                      \
    static int(*found_##lower) types;                                                              \
    static int native_##lower(const struct cell *x) {                                              \
        return found_##lower(__VA_ARGS__);                                                         \
    }                                                                                              \
    static int library_##lower(const struct cell *x) {                                             \
        return caucus_##lower(__VA_ARGS__);                                                        \
    }                                                                                              \
    static int dropin_##lower(const struct cell *x) {                                              \
        return MPI_##Upper(__VA_ARGS__);                                                           \
    }                                                                                              \
    static void find_##lower(void) {                                                               \
        void *found = dlsym(RTLD_DEFAULT, "PMPI_" #Upper);                                         \
        memcpy(&found_##lower, &found, sizeof found);                                              \
    }

#define ENTRY(lower)                                                                               \
    {                                                                                              \
        #lower, find_##lower, {                                                                    \
            native_##lower, library_##lower, dropin_##lower                                        \
        }                                                                                          \
    }

IN_ALL_WAYS(barrier, Barrier, (MPI_Comm), x->comm)
IN_ALL_WAYS(bcast, Bcast, (void *, int, MPI_Datatype, int, MPI_Comm), x->out, x->bytes, MPI_BYTE, 0,
            x->comm)
IN_ALL_WAYS(reduce, Reduce, (const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm), x->in,
            x->out, x->bytes / 4, MPI_FLOAT, MPI_SUM, 0, x->comm)
IN_ALL_WAYS(allreduce, Allreduce, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm),
            x->in, x->out, x->bytes / 4, MPI_FLOAT, MPI_SUM, x->comm)
IN_ALL_WAYS(allgather, Allgather,
            (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm), x->in, x->bytes,
            MPI_BYTE, x->out, x->bytes, MPI_BYTE, x->comm)
IN_ALL_WAYS(alltoall, Alltoall,
            (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm), x->in, x->bytes,
            MPI_BYTE, x->out, x->bytes, MPI_BYTE, x->comm)

static const struct collective between = ENTRY(barrier);
static const struct collective collectives[] = {
    ENTRY(bcast), ENTRY(reduce), ENTRY(allreduce), ENTRY(allgather), ENTRY(alltoall),
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static double time_block(const struct cell *cell, const struct collective *what, enum way way,
                         enum shape shape, int calls) {
    double taken = 0;
    between.call[way](cell);
    double begin = now();
    for (int i = 0; i < calls; i++) {
        if (shape == LOOP) {
            what->call[way](cell);
            continue;
        }
        double start = now();
        what->call[way](cell);
        taken += now() - start;
        between.call[way](cell);
    }
    if (shape == LOOP)
        taken = now() - begin;
    found_allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_SUM, cell->comm);
    return taken / size / calls;
}

static void one_cell(const struct cell *cell, const struct collective *what, enum way ours) {
    struct sample samples[SHAPES][2];
    memset(samples, 0, sizeof samples);
    int few = 100, calls = size > 2 ? 200 : cell->bytes > 4096 ? 500 : 2000;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int i = 0; i < BLOCKS + 1; i++)
            for (int which = 0; which < 2; which++) {
                enum way way = which ? ours : NATIVE;
                time_block(cell, what, way, (enum shape)shape, few);
                double taken = time_block(cell, what, way, (enum shape)shape, calls);
                if (i > 0)
                    sample_add(&samples[shape][which], taken);
            }
    if (rank > 0)
        return;
    printf("| %d | %s | %d |", size, what->name, cell->bytes);
    for (int shape = 0; shape < SHAPES; shape++) {
        double native = sample_median(&samples[shape][0]), own = sample_median(&samples[shape][1]);
        printf(" %.0f | %.0f | %.2f |", native, own, native / own);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const int sizes[] = {0, 8, 512, 4096, MOST_BYTES};
    MPI_Init(&argc, &argv);
    struct cell cell = {.comm = MPI_COMM_WORLD};
    bool zero = argc > 1 && strcmp(argv[1], "zero") == 0;
    enum way ours = argc > 2 && strcmp(argv[2], "dropin") == 0 ? DROPIN : LIBRARY;
    MPI_Comm_rank(cell.comm, &rank);
    MPI_Comm_size(cell.comm, &size);
    cell.in = calloc((size_t)size, MOST_BYTES);
    cell.out = calloc((size_t)size, MOST_BYTES);
    if (rank == 0)
        printf("| ranks | collective | bytes | native, ns | ours, ns | native / ours | native with "
               "barriers, ns | ours, ns | native / ours |\n"
               "|--:|---|--:|--:|--:|--:|--:|--:|--:|\n");
    between.find();
    for (int what = 0; what < COLLECTIVES; what++)
        collectives[what].find();
    for (int what = 0; what < COLLECTIVES; what++)
        for (size_t i = 0; i < (zero ? 1 : sizeof sizes / sizeof *sizes); i++) {
            cell.bytes = sizes[i];
            one_cell(&cell, &collectives[what], ours);
        }
    MPI_Finalize();
    free(cell.in);
    free(cell.out);
    return 0;
}
