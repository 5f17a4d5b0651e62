/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a library after MPI_Init, on rank 0 alone, that completes requests by PMPI_Wait. Persistent
 * inits are left to MPI then, by all ranks; those of the library's own name are not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

enum { TIMES = 3 };

static int rank, size, failed;

static void sum_once(MPI_Comm comm, int (*wait)(MPI_Request *, MPI_Status *)) {
    int given = 0, sum;
    MPI_Request request;
    MPI_Allreduce_init(&given, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < TIMES; i++) {
        given = rank + i;
        sum = -1;
        MPI_Start(&request);
        wait(&request, MPI_STATUS_IGNORE);
        failed |= sum != size * (size - 1) / 2 + size * i;
    }
    MPI_Request_free(&request);
}

static void *find(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found)
        fprintf(stderr, "%s\n", dlerror());
    return found;
}

static void sum_by_the_library(void) {
    int (*init)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, void *);
    int (*start)(void *), (*wait)(void *, MPI_Status *), (*end)(void *), sum = -1;
    void *request = NULL;
    *(void **)&init = find("caucus_allreduce_init");
    *(void **)&start = find("caucus_start");
    *(void **)&wait = find("caucus_wait");
    *(void **)&end = find("caucus_request_free");
    if (init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request) ||
        start(&request) || wait(&request, MPI_STATUS_IGNORE) || end(&request))
        failed = 1;
    failed |= sum != size * (size - 1) / 2;
}

int main(int argc, char **argv) {
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    int (*wait)(MPI_Request *, MPI_Status *) = MPI_Wait;
    sum_once(MPI_COMM_WORLD, wait);
    if (rank == 0) {
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library)
            fprintf(stderr, "%s\n", dlerror());
        *(void **)&wait = library ? dlsym(library, "half_wait") : NULL;
    }
    sum_once(MPI_COMM_WORLD, wait);
    sum_once(copy, wait);
    sum_by_the_library();
    MPI_Comm_free(&copy);
    MPI_Finalize();
    if (rank == 0 && !failed)
        puts("right");
    return failed ? 3 : 0;
}
