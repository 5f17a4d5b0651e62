/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/grid.h>

#include "api/grid/create.h"

static struct caucus_grid_request star_request(const char *function, int ndims, const int dims[],
                                               const int periods[], int reorder) {
    return (struct caucus_grid_request){.function = function,
                                        .ndims = ndims,
                                        .dims = dims,
                                        .periods = periods,
                                        .is_star = true,
                                        .info = MPI_INFO_NULL,
                                        .reorder = reorder != 0};
}

int caucus_cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                       int reorder, MPI_Comm *comm_cart) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, reorder);
    return caucus_grid_create(comm_old, &request, comm_cart);
}

int caucus_cart_create_weighted(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                                const double weights[], int reorder, MPI_Comm *comm_cart) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, reorder);
    request.weights = weights;
    return caucus_grid_create(comm_old, &request, comm_cart);
}

int caucus_stencil_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                          int noffsets, const int offsets[], const double weights[], MPI_Info info,
                          int reorder, MPI_Comm *comm_cart) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, reorder);
    request.is_star = false;
    request.noffsets = noffsets;
    request.offsets = offsets;
    request.weights = weights;
    request.info = info;
    return caucus_grid_create(comm_old, &request, comm_cart);
}

int caucus_cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank) {
    struct caucus_grid_request request = star_request(__func__, ndims, dims, periods, 1);
    return caucus_grid_map(comm, &request, newrank);
}
