/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent collective in a program of sessions. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
    int one = 1, sum = 0, rank, size;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    if (rank == 0 && sum == size)
        puts("right");
    return sum != size;
}
