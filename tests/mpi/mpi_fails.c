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

static bool fails, refused;

int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    static int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    return fails ? MPI_ERR_OTHER : real(in, out, count, type, op, comm);
}

static int granted = -1; /* so many are made before one fails; below 0: all are */

int PMPI_Type_dup(MPI_Datatype type, MPI_Datatype *made) {
    static int (*real)(MPI_Datatype, MPI_Datatype *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Type_dup");
    if (granted < 0)
        return real(type, made);
    if (granted-- > 0)
        return real(type, made);
    refused = true;
    return MPI_ERR_OTHER;
}

static void add(void *in, void *into, int *count, MPI_Datatype *type) {
    const int *from = in;
    int *to = into;
    (void)type;
    for (int i = 0; i < 2 * *count; i++)
        to[i] += from[i];
}

/* The user frees the datatype before the call has run, which so needs one of its own. Returns
 * whether it was had. */
static bool sum_pairs(caucus_group group, MPI_Op op, int duplicates) {
    MPI_Datatype pair;
    caucus_request request;
    int in[] = {1, 2}, out[2], ranks = world_size();
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    granted = duplicates;
    int code = caucus_group_iallreduce(in, out, 1, pair, op, group, &request);
    granted = -1;
    MPI_Type_free(&pair);
    if (refused) {
        refused = false;
        expect(code, MPI_ERR_INTERN, "MPI_Type_dup failed: ");
        return false;
    }
    CHECK_MPI(code);
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(out[0] == ranks && out[1] == 2 * ranks, "%d and %d", out[0], out[1]);
    return true;
}

static void check_duplicates(MPI_Comm comm) {
    MPI_Op op;
    caucus_group group;
    MPI_Op_create(add, 1, &op);
    CHECK_MPI(caucus_group_from_comm(comm, &group));
    /* By what has come, the group may be there on some ranks alone: those need other duplicates. */
    sum_pairs(group, op, 0);
    CHECK_MPI(caucus_group_barrier(group));
    for (int duplicates = 0; !sum_pairs(group, op, duplicates);)
        duplicates++;
    CHECK_MPI(caucus_group_free(&group));
    MPI_Op_free(&op);
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
    check_duplicates(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
