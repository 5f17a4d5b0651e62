/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a function of MPI's fails below the library, the call fails with MPI_ERR_INTERN and says
 * which one it was, and the next call is as good as before. That of this program, which the library
 * finds before MPI's own, fails on all ranks.
 *
 * run: ranks=1,2,3 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <stdbool.h>

static bool fails;

int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    static int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    return fails ? MPI_ERR_OTHER : real(in, out, count, type, op, comm);
}

int main(int argc, char **argv) {
    MPI_Comm comm, grid = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    const int dims[] = {world_size()}, periods[] = {0};
    fails = true;
    expect(caucus_cart_create(comm, 1, dims, periods, 1, &grid), MPI_ERR_INTERN,
           "caucus_cart_create: MPI_Allreduce failed: ");
    fails = false;
    CHECK(grid == MPI_COMM_NULL, "there is a grid");
    CHECK_MPI(caucus_cart_create(comm, 1, dims, periods, 1, &grid));
    MPI_Comm_free(&grid);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
