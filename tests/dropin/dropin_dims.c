/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Dims_create stays MPI's unless it is asked for; then what is given is kept, and what can't be
 * worked out is left to MPI.
 * run: ranks=8 preload env=CAUCUS_REPORT=dims-passed.json args=passed
 * run: ranks=8 preload env=CAUCUS_ENABLE=dims env=CAUCUS_REPORT=dims-taken.json args=taken
 * run: ranks=6 preload env=CAUCUS_ENABLE=dims env=CAUCUS_NODES=cyclic:2 */
#include "report.h"

static void fill(int nnodes, int ndims, const int *fixed) {
    int dims[4], same[4], product = 1;
    memcpy(dims, fixed, sizeof dims);
    CHECK_MPI(MPI_Dims_create(nnodes, ndims, dims));
    for (int axis = 0; axis < ndims; axis++) {
        CHECK(!fixed[axis] || dims[axis] == fixed[axis], "dims[%d] is %d", axis, dims[axis]);
        product *= dims[axis];
    }
    CHECK(product == nnodes, "the product is %d, not %d", product, nnodes);
    memcpy(same, dims, sizeof same);
    MPI_Bcast(same, ndims, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(memcmp(same, dims, sizeof(int) * (size_t)ndims) == 0, "ranks differ");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), none[4] = {0}, failed = 0;
    for (int ndims = 1; ndims <= 4; ndims++)
        fill(size, ndims, none);
    fill(size, 2, (int[]){2, 0, 0, 0});
    fill(1000, 3, none); /* more than there are */
    if (rank == 0) {     /* a local call */
        int dims[2] = {0, 0};
        CHECK_MPI(MPI_Dims_create(size, 2, dims));
    }
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    int bad[2] = {-3, 0};
    int code = MPI_Dims_create(size, 2, bad); /* MPICH 5.0.2 gives no code after a user's handler */
    CHECK(code != MPI_SUCCESS || errors_ignored > 0, "a negative entry was taken");
    MPI_Finalize();
    if (rank == 0 && argc > 1) {
        char *report = read_report();
        failed = expect_in_report(report, strcmp(argv[1], "taken") == 0
                                              ? "\"taken\": 41, \"passed\": 16"
                                              : "\"taken\": 0, \"passed\": 57");
        free(report);
    }
    return failed;
}
