/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives with CAUCUS_SELECT=model and with measure, by turns, beside the best of
 * MPI's own three forms: what a start and its wait take, and what the init takes, on the slowest
 * rank. Each repetition is on new communicators, so that measuring begins anew.
 *
 *   mpiexec -n 4 build/mpich/bin/selection_loop [repetitions [collective]] */
#include "common/loop_calls.h"
#include "common/sample.h"

#include <caucus/caucus.h>
#include <stdio.h>
#include <stdlib.h>

enum variant { BLOCKING, NONBLOCKING, NATIVE_INIT, NATIVES, MODEL = NATIVES, MEASURED, VARIANTS };

static const char *const selections[VARIANTS] = {[MODEL] = "model", [MEASURED] = "measure"};
static const char *const names[] = {"bcast", "reduce", "allreduce", "alltoall", "allgather"};
static const int sizes[] = {8, 1024, 65536, 1048576};

enum { NAMES = sizeof names / sizeof *names, SIZES = sizeof sizes / sizeof *sizes };

struct cell {
    struct sample start[VARIANTS], init[VARIANTS]; /* microseconds */
};

static double slowest(double seconds) {
    double most;
    MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 1e6 * most;
}

static int iterations_for(int bytes) {
    return bytes <= 1024 ? 500 : bytes <= 65536 ? 100 : 15;
}

static void run_native(const struct loop *loop, enum variant variant, MPI_Request *request) {
    if (variant == BLOCKING) {
        loop->calls->native_blocking(loop);
        return;
    }
    if (variant == NONBLOCKING)
        loop->calls->native_nonblocking(loop, request);
    else
        MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* The first of several iterations brings all up. */
static double time_native(const struct loop *loop, enum variant variant, int iterations) {
    MPI_Request request;
    if (variant == NATIVE_INIT)
        loop->calls->native_init(loop, &request);
    run_native(loop, variant, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        run_native(loop, variant, &request);
    double took = slowest(MPI_Wtime() - begin) / iterations;
    if (variant == NATIVE_INIT)
        MPI_Request_free(&request);
    return took;
}

static double time_ours(const struct loop *loop, int iterations, double *init) {
    caucus_request request;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    loop->calls->init(loop, &request);
    *init = slowest(MPI_Wtime() - begin);
    caucus_start(&request);
    caucus_wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        caucus_start(&request);
        caucus_wait(&request, MPI_STATUS_IGNORE);
    }
    double took = slowest(MPI_Wtime() - begin) / iterations;
    caucus_request_free(&request);
    return took;
}

static void repeat(struct loop *loop, int bytes, int turn, struct cell *cell) {
    const int iterations = iterations_for(bytes);
    for (int i = 0; i < VARIANTS; i++) {
        int variant = (i + turn) % VARIANTS;
        double init = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &loop->comm);
        if (selections[variant]) {
            setenv("CAUCUS_SELECT", selections[variant], 1);
            caucus_barrier(loop->comm); /* attaches it */
            sample_add(&cell->start[variant], time_ours(loop, iterations, &init));
            sample_add(&cell->init[variant], init);
        } else if (variant != NATIVE_INIT || loop_find(loop->calls->native_init_name)) {
            sample_add(&cell->start[variant], time_native(loop, (enum variant)variant, iterations));
        }
        MPI_Comm_free(&loop->comm);
    }
}

static void print(const char *name, int bytes, const struct cell *cell) {
    double best = 0;
    for (int i = 0; i < NATIVES; i++) {
        double median = sample_median(&cell->start[i]);
        if (median > 0 && (best == 0 || median < best))
            best = median;
    }
    double model = sample_median(&cell->start[MODEL]),
           taken = sample_median(&cell->start[MEASURED]);
    printf("| %s | %d | %.3g | %.3g | %.3g | %.2f | %.2f | %.3g | %.3g |\n", name, bytes, best,
           model, taken, model / taken, best / taken, 1e-3 * sample_median(&cell->init[MODEL]),
           1e-3 * sample_median(&cell->init[MEASURED]));
    fflush(stdout);
}

int main(int argc, char **argv) {
    static struct cell cell;
    int rank, size, repetitions = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const size_t room = (size_t)sizes[SIZES - 1] * (size_t)size;
    struct loop loop = {.in = calloc(1, room), .out = calloc(1, room), .info = MPI_INFO_NULL};
    if (rank == 0)
        printf(
            "| collective | bytes | MPI's best, us | model, us | measured, us | model / measured "
            "| MPI / measured | init model, ms | init measured, ms |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < NAMES && loop.in && loop.out; i++)
        for (int j = 0; j < SIZES; j++) {
            if (argc > 2 && strcmp(argv[2], names[i]) != 0)
                continue;
            memset(&cell, 0, sizeof cell);
            for (int at = 0; at < LOOP_COLLECTIVES; at++)
                if (strcmp(loop_table[at].name, names[i]) == 0)
                    loop.calls = &loop_table[at];
            loop.count = sizes[j] / (int)sizeof(int);
            for (int turn = 0; turn < repetitions; turn++)
                repeat(&loop, sizes[j], turn, &cell);
            if (rank == 0)
                print(names[i], sizes[j], &cell);
        }
    free(loop.in);
    free(loop.out);
    MPI_Finalize();
    return 0;
}
