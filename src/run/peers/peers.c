/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/peers/peers.h"

#include "run/peers/messages.h"
#include "run/progress/waiting.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"

#include <stddef.h>

struct caucus_peers caucus_peers_all(MPI_Comm comm) {
    struct caucus_peers peers = {.comm = comm};
    PMPI_Comm_rank(comm, &peers.rank);
    PMPI_Comm_size(comm, &peers.size);
    return peers;
}

struct caucus_peers caucus_peers_some(MPI_Comm comm) {
    struct caucus_peers peers = caucus_peers_all(comm);
    peers.unnamed = true;
    return peers;
}

int caucus_peers_bcast(const struct caucus_peers *peers, void *data, int count, MPI_Datatype type,
                       int root) {
    if (peers->rank_of)
        return caucus_peers_tree_tell(peers, data, count, type, root);
    return caucus_mpi_status(PMPI_Bcast(data, count, type, root, peers->comm), "MPI_Bcast");
}

int caucus_peers_allreduce(const struct caucus_peers *peers, const void *in, void *out, int count,
                           MPI_Datatype type, MPI_Op op) {
    if (peers->rank_of)
        return caucus_peers_tree_combine(peers, in, out, count, type, op);
    return caucus_mpi_status(PMPI_Allreduce(in, out, count, type, op, peers->comm),
                             "MPI_Allreduce");
}

int caucus_peers_allgather(const struct caucus_peers *peers, const void *in, int count,
                           MPI_Datatype type, void *out) {
    if (peers->rank_of)
        return caucus_peers_gather_to_all(peers, in, count, NULL, NULL, type, out);
    return caucus_mpi_status(PMPI_Allgather(in, count, type, out, count, type, peers->comm),
                             "MPI_Allgather");
}

int caucus_peers_spread_lists(const struct caucus_peers *peers, const void *in, const int *counts,
                              const int *places, MPI_Datatype type, void *out) {
    int own = counts[peers->rank];
    if (peers->rank_of)
        return caucus_peers_gather_to_all(peers, in, own, counts, places, type, out);
    return caucus_mpi_status(PMPI_Allgatherv(in, own, type, out, counts, places, type, peers->comm),
                             "MPI_Allgatherv");
}

int caucus_peers_alltoall(const struct caucus_peers *peers, const void *in, int count,
                          MPI_Datatype type, void *out) {
    if (peers->rank_of)
        return caucus_peers_each_to_each(peers, in, count, type, out);
    return caucus_mpi_status(PMPI_Alltoall(in, count, type, out, count, type, peers->comm),
                             "MPI_Alltoall");
}

static int position_of(const void *some, int rank) {
    const struct caucus_peers *peers = some;
    if (!peers->rank_of)
        return rank;
    for (int i = 0; i < peers->size; i++)
        if (peers->rank_of[i] == rank)
            return i;
    return -1;
}

int caucus_peers_dead(const struct caucus_peers *peers, int *dead) {
    return caucus_failure_among(peers->comm, position_of, peers, dead);
}

static int pass_barrier(MPI_Comm comm) {
#ifdef CAUCUS_SIMULATED /* SMPI's takes a time that grows with the square of the ranks */
    return caucus_mpi_status(PMPI_Barrier(comm), "MPI_Barrier");
#endif
    MPI_Request request = MPI_REQUEST_NULL; /* as it stays if MPI calls what failed a success */
    int status = caucus_mpi_status(PMPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    return status ? status : caucus_waiting_request(&request);
}

/* A barrier between groups waits for the other one alone: once that has come to a second one, it
 * has seen all of this rank's own group. */
int caucus_come_together(MPI_Comm comm) {
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    int status = pass_barrier(comm);
    return status || !inter ? status : pass_barrier(comm);
}

int caucus_highest(MPI_Comm comm, int *value) {
    int own = *value;
    return caucus_mpi_status(PMPI_Allreduce(&own, value, 1, MPI_INT, MPI_MAX, comm),
                             "MPI_Allreduce");
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

int caucus_peers_meet(const struct caucus_peers *peers) {
    return peers->rank_of ? caucus_peers_rounds(peers) : caucus_come_together(peers->comm);
}
