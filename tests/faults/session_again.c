/* SPDX-License-Identifier: BSD-3-Clause */
/* A process makes a session, frees it, and makes another one: MPI can begin again.
 *
 * run: ranks=4 mpi=mpich,openmpi,intel
 * seen: Open MPI 5.0.11, Intel MPI 2021.18
 * sometimes: MPICH 5.0.2 */
#include "fault.h"

#ifdef MPI_SESSION_NULL
static void use_session(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int one = 1, sum = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "fault", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}

int main(void) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    printf("%s\n", version); /* its rank is not known yet */
    fflush(stdout);
    signal(SIGALRM, ended_by_alarm);
    alarm(LIMIT);
    for (int i = 0; i < 3; i++) {
        use_session();
        if (i == 0)
            show("fault tried\n");
    }
    alarm(0);
    if (rank == 0)
        show("fault not shown\n");
    return 0;
}
#else
int main(int argc, char **argv) {
    int provided;
    begin(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    return verdict(false);
}
#endif
