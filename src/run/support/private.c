/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/private.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/alone.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

/* MPI has no other way to find the local group's communicator, or one of both groups. Merging is
 * messages of MPI's own contexts, so what the user has pending is not touched. It needs no more
 * than the collectives of the local group: versions of Open MPI between 5 and 6 had one that hung
 * where a group lay on several nodes but not node by node (open-mpi/ompi issue 14165); 5.0.11 is
 * without it. */
static int merge(MPI_Comm comm, MPI_Comm *made, int *first_group) {
    int own, remote, rank, merged;
    int status = caucus_mpi_status(PMPI_Intercomm_merge(comm, 0, made), "MPI_Intercomm_merge");
    if (status)
        return status;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &own);
    PMPI_Comm_remote_size(comm, &remote);
    PMPI_Comm_rank(*made, &merged);
    *first_group = merged == rank ? own : remote;
    return CAUCUS_OK;
}

static int split(MPI_Comm comm, MPI_Comm *made) {
    int rank, size;
    MPI_Comm alone = caucus_alone(); /* in any case: it is made while little is pending */
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    *made = size == 1 ? alone : MPI_COMM_NULL;
    return *made != MPI_COMM_NULL
               ? CAUCUS_OK
               : caucus_mpi_status(PMPI_Comm_split(comm, 0, rank, made), "MPI_Comm_split");
}

/* MPI_Comm_split copies neither attributes nor topology, and unlike MPI_Comm_create it does not
 * rely on the group, which MPICH 5.0.2 gets wrong for a grid that is smaller than its parent. Its
 * failure is ours to tell, so comm's own error handler must not hear of it. */
int caucus_private_make(MPI_Comm comm, MPI_Comm *made, int *first_group) {
    int inter, status;
    MPI_Errhandler handler;
    *first_group = 0;
    PMPI_Comm_get_errhandler(comm, &handler);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    PMPI_Comm_test_inter(comm, &inter);
    status = inter ? merge(comm, made, first_group) : split(comm, made);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (!status)
        status = caucus_mpi_status(PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN),
                                   "MPI_Comm_set_errhandler");
    return status;
}

/* MPICH 5.0.2 frees no communicator that has messages left. */
static void drop_messages(MPI_Comm comm) {
    for (;;) {
        int found = 0, length = 0;
        MPI_Message message;
        MPI_Status status;
        if (PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, &status) !=
                MPI_SUCCESS ||
            !found)
            return;
        PMPI_Get_count(&status, MPI_BYTE, &length);
        void *bytes = caucus_array(length, 1);
        if (!bytes)
            return;
        PMPI_Mrecv(bytes, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        free(bytes);
    }
}

/* Not MPI_Comm_disconnect, even where the groups are programs that were started apart: that would
 * wait for the others, and Open MPI 5.0.11 parts two programs once only, so the user's own call
 * would wait for ever. Freed, it keeps neither program from ending before the other. */
void caucus_private_free(MPI_Comm *comm) {
    if (*comm == MPI_COMM_NULL)
        return;
    if (caucus_is_alone(*comm)) {
        *comm = MPI_COMM_NULL;
        return;
    }
    drop_messages(*comm);
    PMPI_Comm_free(comm);
}
