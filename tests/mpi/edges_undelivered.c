/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI fails on one rank alone while edges go to the ranks that they belong to: all ranks get an
 * error, and none waits for the one that has left. The failure is that of a function of this
 * program, which the library finds before MPI's own.
 *
 * run: ranks=2,3 */
#define _GNU_SOURCE
#include "expect_error.h"

#include <caucus/caucus.h>

#include <dlfcn.h>

static int calls, fails = -1;

int PMPI_Alltoallv(const void *in, const int in_counts[], const int in_places[],
                   MPI_Datatype in_type, void *out, const int out_counts[], const int out_places[],
                   MPI_Datatype out_type, MPI_Comm comm) {
    static int (*real)(const void *, const int[], const int[], MPI_Datatype, void *, const int[],
                       const int[], MPI_Datatype, MPI_Comm);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Alltoallv");
    int code = real(in, in_counts, in_places, in_type, out, out_counts, out_places, out_type, comm);
    return calls++ == fails ? MPI_ERR_OTHER : code;
}

static int make(MPI_Comm *graph) {
    int rank = world_rank(), degree = 1, next = (rank + 1) % world_size();
    calls = 0;
    return caucus_dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &next, MPI_UNWEIGHTED,
                                    MPI_INFO_NULL, 0, graph);
}

int main(int argc, char **argv) {
    MPI_Comm graph;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    for (int call = 0; call < 2; call++) {
        fails = world_rank() == 1 ? call : -1;
        expect(make(&graph), MPI_ERR_INTERN, "MPI_Alltoallv");
        CHECK(calls == call + 1, "it was called %d times", calls);
    }
    fails = -1;
    CHECK_MPI(make(&graph));
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
