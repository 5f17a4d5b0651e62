/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/build.h"

#include "base/status.h"
#include "run/support/mpi_status.h"

static int make_grid(MPI_Comm comm, int ndims, const int *dims, const int *periods,
                     MPI_Comm *made) {
    return caucus_mpi_status(PMPI_Cart_create(comm, ndims, dims, periods, 0, made),
                             "MPI_Cart_create");
}

int caucus_build_grid(const struct caucus_attachment *attachment, int ndims, const int *dims,
                      const int *periods, bool moved, int64_t place, MPI_Comm *made) {
    int64_t cells = 1;
    MPI_Comm ordered;
    *made = MPI_COMM_NULL;
    for (int axis = 0; axis < ndims; axis++)
        cells *= dims[axis];
    /* Smaller grids are cut out first, too: MPICH 5.0.2 would give them the group of all ranks. */
    if (!moved && cells == attachment->size)
        return make_grid(attachment->comm, ndims, dims, periods, made);
    int status = caucus_mpi_status(
        PMPI_Comm_split(attachment->comm, place < 0 ? MPI_UNDEFINED : 0, (int)place, &ordered),
        "MPI_Comm_split");
    if (status || ordered == MPI_COMM_NULL)
        return status;
    PMPI_Comm_set_errhandler(ordered, MPI_ERRORS_RETURN);
    status = make_grid(ordered, ndims, dims, periods, made);
    PMPI_Comm_free(&ordered);
    return status;
}

static int inherit_handler(MPI_Comm from, MPI_Comm to) {
    MPI_Errhandler handler;
    int status =
        caucus_mpi_status(PMPI_Comm_get_errhandler(from, &handler), "MPI_Comm_get_errhandler");
    if (status)
        return status;
    status = caucus_mpi_status(PMPI_Comm_set_errhandler(to, handler), "MPI_Comm_set_errhandler");
    PMPI_Errhandler_free(&handler);
    return status;
}

int caucus_inherit(MPI_Comm comm_old, struct caucus_origin *origin, MPI_Comm made) {
    int status = origin ? caucus_origin_keep(made, origin) : CAUCUS_OK;
    return status ? status : inherit_handler(comm_old, made);
}
