/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of any collective in any form, as the user made it: what the functions that are made by
 * tools/generate_collectives.py fill and hand on. */
#ifndef CAUCUS_API_COLLECTIVE_CALL_H
#define CAUCUS_API_COLLECTIVE_CALL_H

#include "api/calls/calls.h"
#include "plan/collective/task.h"

#include <caucus/request.h>

#include <stddef.h>

enum caucus_number_kind { CAUCUS_NUMBER_INT, CAUCUS_NUMBER_COUNT, CAUCUS_NUMBER_AINT };

/* An array of the user's, whatever its integers are. */
struct caucus_numbers {
    const void *entry;
    enum caucus_number_kind kind;
};

static inline int64_t caucus_number(const struct caucus_numbers *numbers, int64_t index) {
    switch (numbers->kind) {
    case CAUCUS_NUMBER_COUNT:
        return ((const MPI_Count *)numbers->entry)[index];
    case CAUCUS_NUMBER_AINT:
        return ((const MPI_Aint *)numbers->entry)[index];
    default:
        return ((const int *)numbers->entry)[index];
    }
}

/* What a call says of one of its two buffers; which members matter tells caucus_shapes[]. */
struct caucus_side {
    void *buffer;
    int64_t count;
    struct caucus_numbers counts, displacements;
    MPI_Datatype type;
    const MPI_Datatype *types;
};

struct caucus_collective_call {
    const char *function;
    enum caucus_collective collective;
    enum caucus_form form;
    struct caucus_side send, receive;
    MPI_Op op;
    int root;
    MPI_Comm comm; /* or, on_group: */
    struct caucus_group_object *group;
    bool on_group;
    MPI_Info info;
    caucus_request *request;
};

/* In parts: what compilers make of one long initialisation takes longer than all that a repeated
 * call needs before its work. */
static inline void caucus_call_clear(struct caucus_collective_call *call) {
    call->send = (struct caucus_side){0};
    call->receive = (struct caucus_side){0};
    call->op = MPI_OP_NULL;
    call->root = 0;
    call->comm = MPI_COMM_NULL;
    call->group = NULL;
    call->on_group = false;
    call->info = MPI_INFO_NULL;
    call->request = NULL;
}

/* Each is collective over call->comm, and returns an error code of MPI after it called the
 * communicator's error handler. */
int caucus_call_blocking(struct caucus_collective_call *call);
int caucus_call_nonblocking(struct caucus_collective_call *call);
int caucus_call_persistent(struct caucus_collective_call *call);

#endif
