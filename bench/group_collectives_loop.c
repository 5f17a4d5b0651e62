/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on a light group against the same call on a communicator of MPI's, of all ranks: the
 * group's first calls, which go by messages alone; those after it got node memory; and a persistent
 * request. Prints microseconds for one call, medians of samples by turns, of the slowest rank, and
 * how many times as long as MPI's each takes.
 *
 *   mpiexec -n 4 build/mpich/bin/group_collectives_loop */
#include "common/sample.h"

#include <caucus/caucus.h>

enum { SAMPLES = 9, MOST_BYTES = 65536 };

static int rank, size;
static MPI_Comm native;
static caucus_group early, standing;

enum what { BARRIER, BCAST, ALLREDUCE, ALLGATHER, WHATS };
static const char *const names[WHATS] = {"barrier", "bcast", "allreduce", "allgather"};
enum way { MPI, EARLY, STANDING, PERSISTENT, WAYS };

/* Of doubles: n from each rank. */
struct cell {
    enum what what;
    int n;
    double *in, *out;
    caucus_request request; /* of PERSISTENT */
};

static void on_mpi(const struct cell *cell) {
    int n = cell->n;
    if (cell->what == BARRIER)
        MPI_Barrier(native);
    else if (cell->what == BCAST)
        MPI_Bcast(cell->out, n, MPI_DOUBLE, 0, native);
    else if (cell->what == ALLREDUCE)
        MPI_Allreduce(cell->in, cell->out, n, MPI_DOUBLE, MPI_SUM, native);
    else
        MPI_Allgather(cell->in, n, MPI_DOUBLE, cell->out, n, MPI_DOUBLE, native);
}

static void on_group(const struct cell *cell, caucus_group group) {
    int n = cell->n;
    if (cell->what == BARRIER)
        caucus_group_barrier(group);
    else if (cell->what == BCAST)
        caucus_group_bcast(cell->out, n, MPI_DOUBLE, 0, group);
    else if (cell->what == ALLREDUCE)
        caucus_group_allreduce(cell->in, cell->out, n, MPI_DOUBLE, MPI_SUM, group);
    else
        caucus_group_allgather(cell->in, n, MPI_DOUBLE, cell->out, n, MPI_DOUBLE, group);
}

static void prepare(struct cell *cell) {
    int n = cell->n;
    caucus_request *request = &cell->request;
    if (cell->what == BARRIER)
        caucus_group_barrier_init(standing, MPI_INFO_NULL, request);
    else if (cell->what == BCAST)
        caucus_group_bcast_init(cell->out, n, MPI_DOUBLE, 0, standing, MPI_INFO_NULL, request);
    else if (cell->what == ALLREDUCE)
        caucus_group_allreduce_init(cell->in, cell->out, n, MPI_DOUBLE, MPI_SUM, standing,
                                    MPI_INFO_NULL, request);
    else
        caucus_group_allgather_init(cell->in, n, MPI_DOUBLE, cell->out, n, MPI_DOUBLE, standing,
                                    MPI_INFO_NULL, request);
}

/* Microseconds for one call. */
static double measure(struct cell *cell, enum way way, int calls) {
    MPI_Barrier(native);
    double start = MPI_Wtime(), taken;
    for (int i = 0; i < calls; i++) {
        if (way == MPI) {
            on_mpi(cell);
        } else if (way == PERSISTENT) {
            caucus_start(&cell->request);
            caucus_wait(&cell->request, MPI_STATUS_IGNORE);
        } else {
            on_group(cell, way == EARLY ? early : standing);
        }
    }
    taken = 1e6 * (MPI_Wtime() - start) / calls;
    MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, native);
    return taken;
}

static void one_cell(struct cell *cell) {
    static struct sample samples[WAYS];
    memset(samples, 0, sizeof samples);
    prepare(cell);
    double once = measure(cell, MPI, 20);
    int calls = once > 50 ? 40 : once > 5 ? 200 : 1000;
    for (int way = 0; way < WAYS; way++) /* once for nothing */
        measure(cell, way, 100);
    for (int i = 0; i < SAMPLES; i++)
        for (int way = 0; way < WAYS; way++)
            sample_add(&samples[way], measure(cell, way, calls));
    caucus_request_free(&cell->request);
    if (rank > 0)
        return;
    printf("| %d | %s | %d |", size, names[cell->what], cell->n * (int)sizeof(double));
    for (int way = 0; way < WAYS; way++)
        printf(" %.3g |", sample_median(&samples[way]));
    for (int way = 1; way < WAYS; way++)
        printf(" %.2f |", sample_median(&samples[way]) / sample_median(&samples[MPI]));
    printf("\n");
    fflush(stdout);
}

/* A group of all ranks, which goes by messages alone for so many calls. */
static caucus_group make_group(const char *calls) {
    MPI_Comm parent;
    caucus_group group;
    setenv("CAUCUS_GROUP_CALLS", calls, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    caucus_comm_attach(parent);
    caucus_group_from_comm(parent, &group);
    MPI_Comm_free(&parent);
    return group;
}

int main(int argc, char **argv) {
    static const int numbers[] = {1, 128, MOST_BYTES / (int)sizeof(double)};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &native);
    early = make_group("1000000000");
    standing = make_group("0");
    double *in = calloc(MOST_BYTES, 1), *out = calloc((size_t)size, MOST_BYTES);
    if (rank == 0)
        printf("| ranks | collective | bytes | MPI, µs | first calls, µs | later, µs | "
               "persistent, µs | first / MPI | later / MPI | persistent / MPI |\n"
               "|---|---|---|---|---|---|---|---|---|---|\n");
    for (int what = 0; what < WHATS; what++)
        for (int i = 0; i < (what == BARRIER ? 1 : 3); i++) {
            struct cell cell = {what, what == BARRIER ? 0 : numbers[i], in, out, NULL};
            one_cell(&cell);
        }
    caucus_group_free(&early);
    caucus_group_free(&standing);
    MPI_Comm_free(&native);
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
