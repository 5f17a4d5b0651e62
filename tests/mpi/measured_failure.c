/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_MODEL=auto where MPI fails on one rank while messages between nodes are measured: all
 * ranks get an error of the call that attaches.
 *
 * run: ranks=4 mpi=mpich env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=none env=MPIR_CVAR_NUM_CLIQUES=2 */
#include "check.h"

#include <caucus/caucus.h>
#include <dlfcn.h>
#include <stdbool.h>

/* Rank 2 leads no node: its long messages are those by which the card is measured. */
enum { LONG = 1 << 14, FAILS = 2, SENDS = 3 };

static int long_sends;
static bool has_failed;

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request *request) {
    static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    long_sends += count >= LONG;
    return next(buffer, count, type, rank, tag, comm, request);
}

/* The answer to the last one comes, so that its sender waits for nobody. */
int PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request *request) {
    static int (*next)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Irecv");
    int code = next(buffer, count, type, rank, tag, comm, request);
    if (has_failed || world_rank() != FAILS || long_sends < SENDS)
        return code;
    has_failed = true;
    PMPI_Wait(request, MPI_STATUS_IGNORE);
    return MPI_ERR_OTHER;
}

int main(int argc, char **argv) {
    int one = 1, sum;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    int code = caucus_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(code != MPI_SUCCESS, "no error");
    CHECK(has_failed == (world_rank() == FAILS), "it failed elsewhere");
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    MPI_Finalize();
    return 0;
}
