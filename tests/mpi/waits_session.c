/* SPDX-License-Identifier: BSD-3-Clause */
/* A process of a program that has sessions alone tells its number in mpi://WORLD, and whom it waits
 * for. With "absent", for tests/python/test_waits.py, one never comes.
 *
 * run: ranks=2 env=CAUCUS_SIGNAL=USR2 mpi=mpich,openmpi output="rank 1 of mpi://WORLD: "
 * run: ranks=2 env=CAUCUS_SIGNAL=USR2 output="rank 1 waits in allreduce"
 *
 * Intel MPI 2021.18 calls itself initialised where there is a session alone. */
#include "skip.h"

#include <caucus/caucus.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#ifdef MPI_SESSION_NULL
int main(int argc, char **argv) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    caucus_request request;
    int rank, in = 1, out = 0;
    (void)argv;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "waits", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    caucus_allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    while (argc > 1 && rank == 0)
        pause();
    if (rank == 0)
        sleep(2);
    else if (argc == 1)
        raise(SIGUSR2);
    caucus_start(&request);
    caucus_wait(&request, MPI_STATUS_IGNORE);
    caucus_request_free(&request);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return out < 2;
}
#else
int main(void) {
    return skipped("this MPI has no sessions");
}
#endif
