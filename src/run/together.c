/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/together.h"

#include "run/mpi_status.h"
#include "run/waiting.h"

int caucus_come_together(MPI_Comm comm, bool (*also)(void)) {
#ifdef CAUCUS_SIMULATED /* SMPI's takes a time that grows with the square of the ranks */
    (void)also;
    return caucus_mpi_status(PMPI_Barrier(comm), "MPI_Barrier");
#endif
    MPI_Request request;
    int status = caucus_mpi_status(PMPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    return status ? status : caucus_waiting_request(&request, also);
}

/* MPI gives a group the other one's result: the second time, that is its own. */
int caucus_highest_of_groups(MPI_Comm inter, int *value) {
    int there = 0, here = 0;
    int status = caucus_mpi_status(PMPI_Allreduce(value, &there, 1, MPI_INT, MPI_MAX, inter),
                                   "MPI_Allreduce");
    if (!status)
        status = caucus_mpi_status(PMPI_Allreduce(&there, &here, 1, MPI_INT, MPI_MAX, inter),
                                   "MPI_Allreduce");
    *value = here > there ? here : there;
    return status;
}
