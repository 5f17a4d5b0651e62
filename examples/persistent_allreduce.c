/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum over all processes, again and again: by MPI_Allreduce, and by a persistent allreduce of
 * Caucus that is set up once. Tells what the set-up cost, what a sum costs, and when it has paid.
 *
 *   mpiexec -n 4 persistent_allreduce [doubles] [sums] */
#include <caucus/caucus.h>
#include <stdio.h>
#include <stdlib.h>

/* The slowest process's seconds since begin. */
static double slowest(double begin) {
    double own = MPI_Wtime() - begin, all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static double by_mpi(int count, int sums, const double *in, double *out) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < sums; i++)
        MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return slowest(begin);
}

static double by_caucus(int count, int sums, const double *in, double *out, double *set_up) {
    caucus_request request;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    caucus_allreduce_init(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                          &request);
    *set_up = slowest(begin);
    begin = MPI_Wtime();
    for (int i = 0; i < sums; i++) {
        caucus_start(&request);
        caucus_wait(&request, MPI_STATUS_IGNORE);
    }
    double seconds = slowest(begin);
    caucus_request_free(&request);
    return seconds;
}

static void tell(int count, int sums, double native, double ours, double set_up) {
    double gain = (native - ours) / sums;
    printf("%d doubles, %d sums: MPI_Allreduce %.2f us each, Caucus %.2f us each (%.1f times as "
           "fast), set up in %.0f us",
           count, sums, 1e6 * native / sums, 1e6 * ours / sums, native / ours, 1e6 * set_up);
    if (gain > 0)
        printf(", paid back after %.0f sums", set_up / gain + 1);
    printf("\n");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, count = argc > 1 ? atoi(argv[1]) : 1, sums = argc > 2 ? atoi(argv[2]) : 10000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    count = count > 0 ? count : 1;
    sums = sums > 0 ? sums : 1;
    double *in = calloc((size_t)count, sizeof *in), *out = calloc((size_t)count, sizeof *out);
    double *expected = calloc((size_t)count, sizeof *expected), set_up;
    if (!in || !out || !expected)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < count; i++)
        in[i] = rank + i;
    caucus_comm_attach(MPI_COMM_WORLD); /* once for all operations on a communicator */
    by_mpi(count, 10, in, expected);
    double native = by_mpi(count, sums, in, expected);
    double ours = by_caucus(count, sums, in, out, &set_up);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += out[i] != expected[i]; /* whole numbers: exact in any order */
    if (rank == 0)
        tell(count, sums, native, ours, set_up);
    if (wrong)
        printf("rank %d: %d sums are wrong\n", rank, wrong);
    free(in);
    free(out);
    free(expected);
    MPI_Finalize();
    return wrong > 0;
}
