/* SPDX-License-Identifier: BSD-3-Clause */
/* One group of ranks or two, for tests that take both alike. */
#ifndef TESTS_MPI_REDISTRIBUTE_GROUPS_H
#define TESTS_MPI_REDISTRIBUTE_GROUPS_H

#include "check.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_RANKS = 16 };

/* A communicator's ranks as one: those of the first group, which is that of world rank 0, and those
 * of the second. */
struct groups {
    MPI_Comm comm;
    int rank, size, first;
};

static struct groups groups_of(MPI_Comm comm) {
    struct groups groups = {.comm = comm};
    int inter, local, remote = 0, rank;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_size(comm, &local);
    MPI_Comm_rank(comm, &rank);
    if (inter)
        MPI_Comm_remote_size(comm, &remote);
    groups.size = local + remote;
    groups.rank = world_rank();
    groups.first = !inter ? 0 : groups.rank == rank ? local : remote;
    CHECK(groups.size <= MOST_RANKS, "%d ranks", groups.size);
    return groups;
}

/* World ranks below cut, and the others. */
static MPI_Comm between(int cut) {
    MPI_Comm own, inter;
    bool first = world_rank() < cut;
    MPI_Comm_split(MPI_COMM_WORLD, first, world_rank(), &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, first ? cut : 0, 7, &inter);
    MPI_Comm_free(&own);
    return inter;
}

#endif
