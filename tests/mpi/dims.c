/* SPDX-License-Identifier: BSD-3-Clause */
/* caucus_dims_create fills what is free, keeps what is given, is the same on all ranks, and follows
 * the mesh's extents.
 * run: ranks=1,6,8
 * run: ranks=8 env=CAUCUS_NODES=cyclic:2
 * run: ranks=12 env=CAUCUS_NODES=5,4,3 mpi=openmpi,intel */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

static void try_dims(int nranks, int ndims, const double *extents, const int *periods,
                     const int *fixed, int *dims) {
    int product = 1, same[10];
    memcpy(dims, fixed, sizeof(int) * (size_t)ndims);
    CHECK_MPI(caucus_dims_create(MPI_COMM_WORLD, nranks, ndims, extents, periods, dims));
    for (int axis = 0; axis < ndims; axis++) {
        CHECK(dims[axis] > 0 && (!fixed[axis] || dims[axis] == fixed[axis]), "dims[%d] is %d", axis,
              dims[axis]);
        product *= dims[axis];
    }
    CHECK(product == nranks, "the product is %d, not %d", product, nranks);
    memcpy(same, dims, sizeof(int) * (size_t)ndims);
    MPI_Bcast(same, ndims, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(memcmp(same, dims, sizeof(int) * (size_t)ndims) == 0, "ranks differ");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int size = world_size(), dims[10], none[10] = {0}, wraps[] = {1, 0, 1, 0};
    for (int nranks = 1; nranks <= size; nranks++)
        for (int ndims = 1; ndims <= 4; ndims++) {
            try_dims(nranks, ndims, NULL, NULL, none, dims);
            try_dims(nranks, ndims, NULL, wraps, none, dims);
            if (ndims > 1)
                try_dims(nranks, ndims, NULL, NULL, (int[]){1, 0, 0, 0}, dims);
        }
    for (int first = 1; first <= size; first++)
        if (size % first == 0)
            try_dims(size, 2, NULL, NULL, (int[]){first, size / first}, dims);
    try_dims(1, 0, NULL, NULL, none, dims);
    try_dims(size, 10, NULL, NULL, none, dims);

    try_dims(size, 2, (double[]){1e6, 1}, NULL, none, dims);
    CHECK(dims[0] == size && dims[1] == 1, "a long mesh: %dx%d", dims[0], dims[1]);
    try_dims(size, 2, (double[]){1, 1e6}, NULL, none, dims);
    CHECK(dims[1] == size && dims[0] == 1, "a wide mesh: %dx%d", dims[0], dims[1]);
    MPI_Finalize();
    return 0;
}
