/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_MPI_JOIN_GROUPS_H
#define TESTS_MPI_JOIN_GROUPS_H

#include "check.h"

/* Between ranks 0 to first - 1 of comm and the next second ones; null on the others. */
static inline MPI_Comm join_groups(MPI_Comm comm, int first, int second) {
    int rank, side;
    MPI_Comm group, made = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    side = rank < first ? 0 : rank < first + second ? 1 : MPI_UNDEFINED;
    MPI_Comm_split(comm, side, rank, &group);
    if (group == MPI_COMM_NULL)
        return made;
    MPI_Intercomm_create(group, 0, comm, side == 0 ? first : 0, 7, &made);
    MPI_Comm_free(&group);
    return made;
}

#endif
