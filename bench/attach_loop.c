/* SPDX-License-Identifier: BSD-3-Clause */
/* What attaching takes: duplicates of MPI_COMM_WORLD, and halves of it, one after the other, as
 * long as MPI's own MPI_Comm_dup of each. Microseconds, the slowest rank of each, median and
 * quartiles.
 *
 *   mpiexec -n 2 build/mpich/bin/attach_loop [count] */
#include <caucus/comm.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000, WAYS = 3 };

static const char *const names[WAYS] = {"MPI_Comm_dup", "attach, a duplicate", "attach, a half"};

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double slowest(double own) {
    double all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static double measure(int way) {
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (way == 2)
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    else if (way == 1)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (way == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
        caucus_comm_attach(comm);
    double took = slowest(MPI_Wtime() - begin);
    MPI_Comm_free(&comm);
    return took;
}

int main(int argc, char **argv) {
    static double took[WAYS][MOST];
    int rank, size, count = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (count < 1 || count > MOST) {
        if (rank == 0)
            fprintf(stderr, "attach_loop: the count must be 1 to %d\n", MOST);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double begin = MPI_Wtime();
    caucus_comm_attach(MPI_COMM_WORLD);
    double first = slowest(MPI_Wtime() - begin);
    for (int i = -3; i < count; i++)
        for (int way = 0; way < WAYS; way++)
            took[way][i < 0 ? 0 : i] = measure(way);
    if (rank == 0) {
        printf("%d ranks, us             median  quartiles\n", size);
        printf("MPI_COMM_WORLD, first  %8.0f\n", 1e6 * first);
    }
    for (int way = 0; way < WAYS; way++) {
        qsort(took[way], (size_t)count, sizeof **took, ascending);
        if (rank == 0)
            printf("%-22s %8.0f  %.0f to %.0f\n", names[way], 1e6 * took[way][count / 2],
                   1e6 * took[way][count / 4], 1e6 * took[way][3 * count / 4]);
    }
    MPI_Finalize();
    return 0;
}
