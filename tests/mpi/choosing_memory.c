/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank has no memory to find out what algorithms of a neighbourhood cost: the init fails on all,
 * or goes on without a measurement on all, and nobody takes another algorithm than the others. This
 * program's calloc, which the library finds before the C library's, refuses one array of what a
 * node has for each.
 *
 * run: ranks=6 env=CAUCUS_NODES=3x2 env=CAUCUS_TIMEOUT=20
 * run: ranks=6 env=CAUCUS_NODES=cyclic:3 env=CAUCUS_SELECT=measure env=CAUCUS_TIMEOUT=20
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "refusing.h"

enum { NODES = 3, REGION = 16, BLOCK = 100 };

static int granted; /* before one is refused; negative: none is */
static bool refused;

static bool refuses(size_t count, size_t size) {
    if (granted < 0 || count != NODES || size != REGION)
        return false;
    if (granted-- > 0)
        return false;
    refused = true;
    return true;
}

static MPI_Comm graph(const int around[2]) {
    int *volatile none = MPI_UNWEIGHTED; /* which compilers take for an array of nothing */
    MPI_Comm comm;
    CHECK_MPI(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, none, 2, around, none,
                                             MPI_INFO_NULL, 0, &comm));
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    return comm;
}

static void run(caucus_request request, const int *out, const int *around) {
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * BLOCK; i++)
        CHECK(out[i] == around[i / BLOCK], "%d at %d", out[i], i);
    CHECK_MPI(caucus_request_free(&request));
}

int main(int argc, char **argv) {
    granted = -1;
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    int rank = world_rank(), ranks = world_size(), in[BLOCK], out[2 * BLOCK], any = 1;
    const int around[] = {(rank + ranks - 1) % ranks, (rank + 1) % ranks};
    MPI_Comm comm = graph(around);
    for (int i = 0; i < BLOCK; i++)
        in[i] = rank;
    for (int before = 0; any; before++) {
        caucus_request request;
        refused = false;
        granted = rank == 1 ? before : -1;
        int code = caucus_neighbor_allgather_init(in, BLOCK, MPI_INT, out, BLOCK, MPI_INT, comm,
                                                  MPI_INFO_NULL, &request);
        granted = -1;
        any = refused;
        MPI_Bcast(&any, 1, MPI_INT, 1, MPI_COMM_WORLD);
        int fails = code != MPI_SUCCESS, fail;
        MPI_Allreduce(&fails, &fail, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(fail == ranks || (fail == 0 && before > 0), "%d ranks fail", fail);
        if (code == MPI_SUCCESS)
            run(request, out, around);
        else
            expect(code, MPI_ERR_NO_MEM, "rank 1: ");
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
