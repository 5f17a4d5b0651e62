/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group of two living processes, on a communicator in which a third one has died,
 * fails with MPIX_ERR_PROC_FAILED, though messages between the two work.
 *
 * run: ranks=3 deaths output="fault" mpi=openmpi
 * seen: Open MPI 5.0.11 */
#include "fault.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
#ifdef MPIX_ERR_PROC_FAILED
    int living[] = {0, 1}, word = 0, class = MPI_SUCCESS;
    MPI_Group all, group;
    MPI_Comm made;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 2)
        raise(SIGKILL);
    MPI_Error_class(MPI_Recv(&word, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
    if (class != MPIX_ERR_PROC_FAILED)
        return 1;
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 2, &word, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, living, &group);
    MPI_Error_class(MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &made), &class);
    if (rank == 0) {
        printf("messages work: %d; class %d\n", word == 1, class);
        fflush(stdout);
        verdict_alone(class != MPI_SUCCESS);
    }
    sleep(1);
    _exit(0);
#else
    return verdict(false);
#endif
}
