/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that never ends, for tests/python/test_waits.py: two ranks wait for each other's
 * collective ("cycle"), or the last never comes to one ("absent"), or to the making of a group
 * ("group").
 *
 * run: ranks=2 args=none */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static MPI_Request begin(MPI_Comm comm, int *in, int *out) {
    MPI_Request request;
    MPI_Allreduce_init(in, out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    return request;
}

static void make_group(bool comes) {
    MPI_Group all;
    MPI_Comm comm;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (!comes)
        for (;;)
            pause();
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 7, &comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&all);
}

int main(int argc, char **argv) {
    int rank, size, in = 1, out[2];
    const char *how = argc > 1 ? argv[1] : "none";
    MPI_Comm comm[2];
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(how, "group") == 0)
        make_group(rank < size - 1);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        request[i] = begin(comm[i], &in, &out[i]);
    }
    int first = strcmp(how, "cycle") == 0 ? rank % 2 : 0;
    while (strcmp(how, "absent") == 0 && rank == size - 1)
        pause();
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request[(first + i) % 2]);
        MPI_Wait(&request[(first + i) % 2], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&request[i]);
        MPI_Comm_free(&comm[i]);
    }
    MPI_Finalize();
    return 0;
}
