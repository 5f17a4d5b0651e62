/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of sessions that uses the library, under the drop-in: MPI's own collectives are MPI's
 * on all ranks, whichever communicator a rank has last used the library on.
 *
 * run: ranks=2 preload */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#if defined MPI_SESSION_NULL && (MPI_VERSION >= 4 || defined OMPI_MAJOR_VERSION)
static MPI_Session session;

static MPI_Comm make(const char *set) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, set, &group);
    MPI_Comm_create_from_group(group, set, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    return comm;
}

int main(void) {
    int one = 1, sum = 0, size, rank;
    MPI_Request request;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Comm all = make("mpi://WORLD"), self = make("mpi://SELF");
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    for (int i = 0; i < 2; i++)
        caucus_barrier(all);
    for (int i = 0; i < 2 && rank > 0; i++)
        caucus_barrier(self);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, all, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Comm_free(&self);
    MPI_Comm_free(&all);
    MPI_Session_finalize(&session);
    return sum != size;
}
#else
int main(void) {
    return skipped("this MPI has no sessions, or no persistent collectives");
}
#endif
