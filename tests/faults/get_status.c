/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_get_status completes nothing. A persistent message that it was asked about is
 * forgotten all the same: a wait for it returns an empty status.
 *
 * run: ranks=1 mpi=mpich,openmpi,intel
 * seen: MPICH 5.0.2
 * sometimes: Intel MPI 2021.18 */
#include "fault.h"

int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
    int sent = 42, received = 0, flag = 0, count = 0;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Recv_init(&received, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[0]);
    MPI_Send_init(&sent, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[1]);
    MPI_Startall(2, requests);
    for (int i = 0; i < 1000 && !flag; i++)
        MPI_Request_get_status(requests[0], &flag, &status);
    memset(&status, 0, sizeof status);
    MPI_Wait(&requests[0], &status);
    MPI_Get_count(&status, MPI_INT, &count);
    printf("tag %d and %d elements\n", status.MPI_TAG, count);
    fflush(stdout);
    bool shown = status.MPI_TAG != 3 || count != 1;
    if (shown)
        verdict_alone(true);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return verdict(false);
}
