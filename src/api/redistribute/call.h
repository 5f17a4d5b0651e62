/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of caucus_redistribute_init, as the user made it, and what becomes of it. */
#ifndef CAUCUS_API_REDISTRIBUTE_CALL_H
#define CAUCUS_API_REDISTRIBUTE_CALL_H

#include "api/collective/hints.h"
#include "api/collective/request.h"
#include "plan/redistribute/schedule.h"

#include <caucus/redistribute.h>

struct caucus_redistribute_side {
    void *buffer;
    int64_t count;
    const caucus_index_range *ranges;
    MPI_Datatype type; /* means nothing where there are no indices */
    const char *buffer_name, *list_name, *type_name;
};

struct caucus_redistribute_call {
    const char *function;
    struct caucus_redistribute_side send, receive;
    MPI_Comm comm;
    MPI_Info info;
    caucus_request *request;
};

/* What the arguments say, once they are found to be good. */
struct caucus_redistribute_work {
    struct caucus_hints hints;
    struct caucus_index_list has, wants;
    struct caucus_index_repeats repeats;
    int64_t has_element, wants_element; /* bytes; 0 where there are no indices */
    struct caucus_redistribution plan;
    struct caucus_relay relay;
};

/* Checks and takes in the arguments. Local; work is to be freed in any case. */
int caucus_redistribute_read(struct caucus_redistribute_work *work,
                             const struct caucus_redistribute_call *call,
                             const struct caucus_context *context);
void caucus_redistribute_work_free(struct caucus_redistribute_work *work);

/* Finds out with all ranks who sends what to whom: work's plan and relay. Collective over the
 * context, which has agreed that all arguments are good; arena is for its messages. All ranks get
 * the same status and text. */
int caucus_redistribute_settle(struct caucus_redistribute_work *work,
                               const struct caucus_context *context,
                               const struct caucus_arena *arena);

#endif
