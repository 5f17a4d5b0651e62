/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from MPI_ANY_SOURCE where a rank has died, which is no longer pending: MPI_Wait returns
 * MPIX_ERR_PROC_FAILED_PENDING for ever if its message came before the death was acknowledged,
 * while MPI_Request_get_status says that it has ended.
 *
 * run: ranks=3 deaths output="fault" mpi=openmpi
 * seen: Open MPI 5.0.11 */
#include "fault.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#ifdef MPIX_ERR_PROC_FAILED_PENDING
static int class_of(int code) {
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    return class;
}

static bool receives(void) {
    int data = 0, done = 0, word = 1, ended = 0, code = MPI_SUCCESS;
    MPI_Request request;
    MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
    while (class_of(code) != MPIX_ERR_PROC_FAILED_PENDING)
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    for (double start = MPI_Wtime(); MPI_Wtime() - start < 0.3;)
        MPI_Iprobe(1, 9, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    for (int i = 0; i < 1000 && !done; i++)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE), done = code == MPI_SUCCESS;
    for (int i = 0; i < 1000 && !done && !ended; i++)
        MPI_Request_get_status(request, &ended, MPI_STATUS_IGNORE);
    printf("ended: %d; tested: %d, class %d; the buffer has %d\n", ended, done, class_of(code),
           data);
    fflush(stdout);
    return !done;
}
#endif

int main(int argc, char **argv) {
    int provided, word = 42;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    tries();
#ifdef MPIX_ERR_PROC_FAILED_PENDING
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 2) {
        usleep(100000);
        raise(SIGKILL);
    }
    if (rank == 0)
        verdict_alone(receives());
    int go = 0;
    MPI_Recv(&go, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    sleep(2); /* the first one ends, and all are ended */
    _exit(0);
#else
    (void)word;
    return verdict(false);
#endif
}
