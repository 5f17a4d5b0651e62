/* SPDX-License-Identifier: BSD-3-Clause */
/* Intercommunicators, what must hold of one that is attached, and a call that shows that both
 * groups take part. */
#ifndef TESTS_MPI_TWO_GROUPS_H
#define TESTS_MPI_TWO_GROUPS_H

#include "join_groups.h"
#include "schedules.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

struct sides {
    int rank, local, remote;
};

static inline struct sides sides_of(MPI_Comm comm) {
    struct sides sides;
    MPI_Comm_rank(comm, &sides.rank);
    MPI_Comm_size(comm, &sides.local);
    MPI_Comm_remote_size(comm, &sides.remote);
    return sides;
}

/* Everybody hears of everybody in the other group: what the ranks say is told apart by salt. */
static inline void exchange(MPI_Comm comm, int salt) {
    struct sides sides = sides_of(comm);
    int own = salt * 1000 + sides.rank, *other = calloc((size_t)sides.remote, sizeof *other);
    CHECK(other, "no memory");
    CHECK_MPI(caucus_allgather(&own, 1, MPI_INT, other, 1, MPI_INT, comm));
    for (int i = 0; i < sides.remote; i++)
        CHECK(other[i] == salt * 1000 + i, "remote rank %d says %d, not %d", i, other[i],
              salt * 1000 + i);
    free(other);
    CHECK_MPI(caucus_barrier(comm));
}

/* The union has both groups in their orders, and all its ranks know the same one for the first. */
static inline void check_union(MPI_Comm comm) {
    struct sides sides = sides_of(comm);
    const struct caucus_attachment *attachment = caucus_attached(comm);
    CHECK(attachment, "it is not attached");
    int first = attachment->first_group, second = attachment->size - first;
    bool is_second = attachment->rank >= first;
    CHECK(attachment->size == sides.local + sides.remote, "%d ranks", attachment->size);
    CHECK(first == (is_second ? sides.remote : sides.local), "the first group has %d ranks", first);
    CHECK(second > 0 && attachment->rank == sides.rank + (is_second ? first : 0),
          "rank %d of its group has %d in the union", sides.rank, attachment->rank);
    int own[2] = {first, -first}, highest[2];
    MPI_Allreduce(own, highest, 2, MPI_INT, MPI_MAX, attachment->comm);
    CHECK(highest[0] == -highest[1], "the first group has %d or %d ranks", highest[0], -highest[1]);
}

static inline void attach_and_check(MPI_Comm comm, int salt) {
    CHECK_MPI(caucus_comm_attach(comm));
    check_union(comm);
    exchange(comm, salt);
}

#endif
