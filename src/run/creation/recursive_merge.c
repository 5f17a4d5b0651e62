/* SPDX-License-Identifier: BSD-3-Clause */
/* J. Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, Algorithm 1:
 *
 *     rank      0     1     2     3     4
 *     size 1   [0]   [1]   [2]   [3]   [4]    communicators of one
 *     size 2   [0 --- 1]   [2 --- 3]   [4]    pairs merge; who has no partner waits
 *     size 4   [0 --- 1 --- 2 --- 3]   [4]
 *              [0 --- 1 --- 2 --- 3 --- 4]
 *
 * As it is printed there, with two differences. A duplicate of MPI_COMM_SELF would have the user's
 * attributes, so the communicator of one is split off. And leaders come together before
 * MPI_Intercomm_create: MPICH 5.0.2 takes what another leader sends for it with the same tag, and
 * crashes, if that is early. */
#include "run/creation/between.h"

#include "base/status.h"
#include "run/support/mpi_status.h"

#include <pthread.h>
#include <stddef.h>

static int make_own(MPI_Comm *own) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* collective over MPI_COMM_SELF */
    int initialized;
    PMPI_Initialized(&initialized);
    if (!initialized)
        return caucus_fail(CAUCUS_UNSUPPORTED, "recursive_merge needs MPI_COMM_SELF, which a "
                                               "program of sessions does not have");
    pthread_mutex_lock(&lock);
    int status = caucus_mpi_status(PMPI_Comm_split(MPI_COMM_SELF, 0, 0, own), "MPI_Comm_split");
    pthread_mutex_unlock(&lock);
    if (!status)
        PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    return status;
}

static int join(const struct caucus_creation_call *call, int leader, bool high, MPI_Comm *own) {
    MPI_Comm both, joined = MPI_COMM_NULL;
    int status = caucus_mpi_status(
        PMPI_Intercomm_create(*own, 0, call->attachment->creation->comm, leader, call->tag, &both),
        "MPI_Intercomm_create");
    if (status)
        return status;
    PMPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
    status = caucus_mpi_status(PMPI_Intercomm_merge(both, high, &joined), "MPI_Intercomm_merge");
    PMPI_Comm_free(&both);
    if (status)
        return status;
    PMPI_Comm_free(own);
    PMPI_Comm_set_errhandler(joined, MPI_ERRORS_RETURN);
    *own = joined;
    return CAUCUS_OK;
}

int caucus_creation_recursive_merge(const struct caucus_creation_call *call, MPI_Comm *made) {
    int status = make_own(made);
    if (status)
        return status;
    for (int64_t size = 1; size < call->members && !status; size *= 2) {
        int64_t block = call->me / size;
        bool high = block % 2 != 0, leads = call->me % size == 0;
        int64_t partner = (high ? block - 1 : block + 1) * size;
        if (partner < call->members && leads)
            status = caucus_creation_greet(call->attachment, call->ranks[partner], call->tag);
        if (partner < call->members && !status)
            status = join(call, call->ranks[partner], high, made);
    }
    if (status)
        PMPI_Comm_free(made);
    return status;
}
