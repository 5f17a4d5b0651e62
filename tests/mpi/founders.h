/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of ranks of a communicator, and what a communicator that was made of one must be. */
#ifndef TESTS_MPI_FOUNDERS_H
#define TESTS_MPI_FOUNDERS_H

#include "check.h"

#include <stdbool.h>

enum { MOST_FOUNDERS = 16 };

struct founders {
    int count, ranks[MOST_FOUNDERS]; /* in the order of the new ranks */
};

/* This rank's place; -1 if it has none. */
static inline int place_of(const struct founders *founders, int rank) {
    for (int i = 0; i < founders->count; i++)
        if (founders->ranks[i] == rank)
            return i;
    return -1;
}

static inline MPI_Group group_of(MPI_Comm comm, const struct founders *founders) {
    MPI_Group all, group;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, founders->count, founders->ranks, &group);
    MPI_Group_free(&all);
    return group;
}

/* A number for each seed, the same on all ranks. */
static inline unsigned draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u; /* Numerical Recipes */
    return *seed >> 8;
}

/* Some of the ranks, at least `least`, in any order. */
static inline struct founders draw_founders(unsigned *seed, int size, int least) {
    struct founders drawn = {.count = size};
    for (int i = 0; i < size; i++)
        drawn.ranks[i] = i;
    for (int i = size - 1; i > 0; i--) {
        int other = (int)(draw(seed) % (unsigned)(i + 1)), kept = drawn.ranks[i];
        drawn.ranks[i] = drawn.ranks[other];
        drawn.ranks[other] = kept;
    }
    drawn.count = least + (int)(draw(seed) % (unsigned)(size - least + 1));
    return drawn;
}

/* A sum over the ranks of a communicator that was made of these. */
static inline void check_sum(MPI_Comm made, const struct founders *founders, int rank, int salt) {
    int mine = (rank + 1) * (salt + 1), sum = 0, expected = 0;
    CHECK_MPI(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, made));
    for (int i = 0; i < founders->count; i++)
        expected += (founders->ranks[i] + 1) * (salt + 1);
    CHECK(sum == expected, "the sum is %d, not %d", sum, expected);
}

/* Size, ranks and group; rank: of the parent. Collective over made, which is null elsewhere. */
static inline void check_made(MPI_Comm made, MPI_Group group, const struct founders *founders,
                              int rank) {
    int size, new_rank, relation, place = place_of(founders, rank);
    CHECK((made != MPI_COMM_NULL) == (place >= 0), "rank %d, place %d", rank, place);
    if (place < 0)
        return;
    MPI_Group has;
    MPI_Comm_size(made, &size);
    MPI_Comm_rank(made, &new_rank);
    CHECK(size == founders->count && new_rank == place, "%d of %d", new_rank, size);
    MPI_Comm_group(made, &has);
    MPI_Group_compare(has, group, &relation);
    CHECK(relation == MPI_IDENT, "relation %d", relation);
    MPI_Group_free(&has);
    check_sum(made, founders, rank, 0);
}

/* A receive from anybody with any tag, on a parent; completed by the one before in the ring. */
struct trap {
    MPI_Request request;
    int value;
};

static inline void set_trap(struct trap *trap, MPI_Comm parent) {
    trap->value = -1;
    CHECK_MPI(
        MPI_Irecv(&trap->value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, parent, &trap->request));
}

static inline void spring_trap(struct trap *trap, MPI_Comm parent, const struct founders *founders,
                               int rank) {
    MPI_Status status;
    int place = place_of(founders, rank), n = founders->count;
    int next = founders->ranks[(place + 1) % n], before = founders->ranks[(place + n - 1) % n];
    CHECK_MPI(MPI_Send(&rank, 1, MPI_INT, next, 4711, parent));
    CHECK_MPI(MPI_Wait(&trap->request, &status));
    CHECK(trap->value == before && status.MPI_SOURCE == before && status.MPI_TAG == 4711,
          "%d from %d with tag %d", trap->value, status.MPI_SOURCE, status.MPI_TAG);
}

#endif
