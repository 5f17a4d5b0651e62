/* SPDX-License-Identifier: BSD-3-Clause */
/* SMPI knows what a message takes of a processor by its length alone (smpi/os, ois, or). Here one
 * between nodes takes SIMULATED_FAR nanoseconds more at either end; ranks lie by node,
 * SIMULATED_NODE of them on each. SMPI's own collectives would not see this, so broadcasts
 * are done here, down the binomial tree that MPICH and SMPI take for these lengths. Included before
 * the files that send in a measured loop, in a build for SMPI. */
#ifndef CAUCUS_BENCH_SIMULATED_DISTANCE_H
#define CAUCUS_BENCH_SIMULATED_DISTANCE_H

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

/* Of each rank: its variables are its own. */
__attribute__((weak)) struct {
    long node, nanoseconds; /* node: 0 while they are not known */
} caucus_smpi_distance;

static inline long caucus_smpi_setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* A processor's time for a message from or to a peer. */
static inline void caucus_smpi_far(int peer, MPI_Comm comm) {
    int rank;
    if (!caucus_smpi_distance.node) {
        caucus_smpi_distance.node = caucus_smpi_setting("SIMULATED_NODE", 1);
        caucus_smpi_distance.nanoseconds = caucus_smpi_setting("SIMULATED_FAR", 0);
    }
    struct timespec busy = {.tv_nsec = caucus_smpi_distance.nanoseconds};
    PMPI_Comm_rank(comm, &rank);
    if (busy.tv_nsec && rank / caucus_smpi_distance.node != peer / caucus_smpi_distance.node)
        nanosleep(&busy, NULL);
}

static inline int caucus_smpi_isend(const void *buffer, int count, MPI_Datatype type, int to,
                                    int tag, MPI_Comm comm, MPI_Request *request) {
    caucus_smpi_far(to, comm);
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

/* Of a program by hand: a short message leaves at once, and nothing is left to wait for. (SMPI
 * breaks its memory where thousands of such requests are tested all together.) */
static inline int caucus_smpi_leave(const void *buffer, int count, MPI_Datatype type, int to,
                                    int tag, MPI_Comm comm, MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    caucus_smpi_far(to, comm);
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

static inline int caucus_smpi_recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
                                   MPI_Comm comm) {
    MPI_Status status;
    int code = PMPI_Recv(buffer, count, type, from, tag, comm, &status);
    caucus_smpi_far(status.MPI_SOURCE, comm);
    return code;
}

static inline int caucus_smpi_bcast(void *buffer, int count, MPI_Datatype type, int root,
                                    MPI_Comm comm) {
    int rank, size, bit = 1, code = MPI_SUCCESS;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    int place = (rank - root + size) % size;
    while (bit < size && !(place & bit))
        bit *= 2;
    if (bit < size)
        code = caucus_smpi_recv(buffer, count, type, (rank - bit + size) % size, 1, comm);
    for (bit /= 2; bit > 0 && code == MPI_SUCCESS; bit /= 2)
        if (place + bit < size) {
            int to = (rank + bit) % size;
            MPI_Request none;
            code = caucus_smpi_leave(buffer, count, type, to, 1, comm, &none);
        }
    return code;
}

#define PMPI_Isend caucus_smpi_isend
#define MPI_Isend caucus_smpi_leave
#define MPI_Bcast caucus_smpi_bcast

#endif
