/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call is a contribution put into a slot that all ranks of a communicator share; a
 * rank is done when those have come whom it needs, or, in runs where the seed says so, when all
 * have. */
#ifndef TESTS_WORLD_COLLECTIVES_H
#define TESTS_WORLD_COLLECTIVES_H

#include "world.h"

enum shape {
    BARRIER,
    BCAST,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLTOALL,
    MAKE_DUP,
    MAKE_SPLIT,
    MAKE_GRID,
    MAKE_MERGE,
    MAKE_BETWEEN,
    MAKE_GROUP,
    MAKE_FROM_GROUP,
};

/* The index of a rank of `comm` in the slots of its communicator. */
static inline int slot_index(const struct comm *comm, int side, int rank) {
    return side == 0 ? rank : comm->context->size[0] + rank;
}

struct slot *slot_find(struct slot **list, struct call_data *call, int size, int key);
int collective_begin(struct call_data *call, bool persistent, MPI_Request *made);
int call_run(struct call_data *call);
bool call_ended(struct call_data *call);
struct call_data *call_new(const char *name, enum shape shape, struct comm *comm);
void call_enter(struct call_data *call);
int collective_finish(struct call_data *call);
void collective_deposit(struct call_data *call);
bool collective_needs(const struct call_data *call, int index);
void collective_is_owed(struct call_data *last);
bool others_have_moved(const struct call_data *call);

bool construct_ready(struct call_data *call);
int construct_finish(struct call_data *call);
void construct_entered(struct call_data *call);
void subgroup_enter(struct call_data *call, const struct group *group, const char *word);
int subgroup_run(struct call_data *call);

#endif
