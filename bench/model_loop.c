/* SPDX-License-Identifier: BSD-3-Clause */
/* What measuring the machine gains: blocking collectives by MPI, and by Caucus with CAUCUS_MODEL
 * default and auto, by turns in one run. Microseconds of a call after a barrier, the mean of all
 * ranks, medians; twice: send buffers that each rank has just written, and that nobody has written
 * since the last call, as benchmarks often have it.
 *
 *   CAUCUS_CACHE=none mpiexec -n 2 build/mpich/bin/model_loop */
#include "common/sample.h"

#include <caucus/collective.h>
#include <caucus/comm.h>
#include <stdbool.h>
#include <string.h>

enum { CALLS = 150, MOST_BYTES = 1 << 20, WRITTEN = 2 };
enum way { NATIVE, DEFAULT, AUTO, WAYS };

static const char *const models[WAYS] = {"MPI", "default", "auto"};
static const char *const names[] = {"bcast", "reduce", "allreduce", "allgather", "alltoall"};
enum { COLLECTIVES = sizeof names / sizeof *names };

static int rank, size;
static MPI_Comm comms[WAYS];
static char *in, *out;

static void call(int what, enum way way, int bytes) {
    MPI_Comm comm = comms[way];
    int floats = bytes / 4;
#define EITHER(theirs, ours, ...) (way == NATIVE ? theirs(__VA_ARGS__) : ours(__VA_ARGS__))
    switch (what) {
    case 0:
        EITHER(MPI_Bcast, caucus_bcast, in, bytes, MPI_BYTE, 0, comm);
        break;
    case 1:
        EITHER(MPI_Reduce, caucus_reduce, in, out, floats, MPI_FLOAT, MPI_SUM, 0, comm);
        break;
    case 2:
        EITHER(MPI_Allreduce, caucus_allreduce, in, out, floats, MPI_FLOAT, MPI_SUM, comm);
        break;
    case 3:
        EITHER(MPI_Allgather, caucus_allgather, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
        break;
    default:
        EITHER(MPI_Alltoall, caucus_alltoall, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
    }
}

/* At a broadcast the root alone. */
static void write_in(int what, int bytes) {
    if (what > 0 || rank == 0)
        memset(in, 0, (size_t)bytes * (what == COLLECTIVES - 1 ? (size_t)size : 1));
}

static double time_call(int what, enum way way, int bytes, bool written) {
    if (written)
        write_in(what, bytes);
    MPI_Barrier(comms[NATIVE]);
    double begin = MPI_Wtime();
    call(what, way, bytes);
    double took = MPI_Wtime() - begin, sum;
    MPI_Reduce(&took, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, comms[NATIVE]);
    return 1e6 * sum / size;
}

static void one_cell(int what, int bytes) {
    struct sample samples[WRITTEN][WAYS];
    memset(samples, 0, sizeof samples);
    for (int i = -10; i < CALLS; i++)
        for (int written = 0; written < WRITTEN; written++)
            for (int way = 0; way < WAYS; way++) {
                call(what, (enum way)way, bytes);
                double took = time_call(what, (enum way)way, bytes, written == 0);
                if (i >= 0 && rank == 0)
                    sample_add(&samples[written][way], took);
            }
    if (rank > 0)
        return;
    printf("| %d | %s | %d |", size, names[what], bytes);
    for (int written = 0; written < WRITTEN; written++) {
        double native = sample_median(&samples[written][NATIVE]);
        printf(" %.2f |", native);
        for (int way = DEFAULT; way < WAYS; way++)
            printf(" %.2f |", native / sample_median(&samples[written][way]));
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int way = 0; way < WAYS; way++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[way]);
        if (way == NATIVE)
            continue;
        setenv("CAUCUS_MODEL", models[way], 1);
        caucus_comm_attach(comms[way]);
    }
    in = calloc((size_t)size, MOST_BYTES);
    out = calloc((size_t)size, MOST_BYTES);
    if (rank == 0)
        printf("| ranks | collective | bytes | written: MPI, us | MPI / default | MPI / auto | not "
               "written: MPI, us | MPI / default | MPI / auto |\n"
               "|--:|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int what = 0; what < COLLECTIVES; what++)
        for (int bytes = 1 << 10; bytes <= MOST_BYTES; bytes *= 4)
            one_cell(what, bytes);
    for (int way = 0; way < WAYS; way++)
        MPI_Comm_free(&comms[way]);
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
