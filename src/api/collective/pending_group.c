/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/pending.h"

#include "api/collective/calls.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct waiting {
    struct caucus_pending pending; /* first */
    struct caucus_prepared *prepared;
    struct caucus_binding binding;
    MPI_Datatype own;
    uint64_t number; /* of the context's calls: arenas take turns */
};

static int run(struct waiting *waiting, struct caucus_context *context) {
    struct caucus_prepared *prepared = waiting->prepared;
    const struct caucus_alone *alone = &context->alone;
    struct caucus_arena *arena = alone->arena[waiting->number % CAUCUS_ALONE_ARENAS];
    waiting->prepared = NULL;
    waiting->pending.request->prepared = prepared;
    int status = caucus_prepared_run_in(prepared, alone->engine, arena, &waiting->binding);
    return status ? status : caucus_execution_start(prepared->execution);
}

static int advance(struct caucus_pending *pending, bool *complete) {
    struct waiting *waiting = (struct waiting *)pending;
    struct caucus_context *context = pending->request->context;
    int status = caucus_alone_advance(&context->alone, complete);
    return status || !*complete ? status : run(waiting, context);
}

static void free_waiting(struct caucus_pending *pending) {
    struct waiting *waiting = (struct waiting *)pending;
    if (waiting->prepared) {
        caucus_layout_free(&waiting->binding.in);
        caucus_layout_free(&waiting->binding.out);
        caucus_prepared_free(waiting->prepared);
    }
    if (waiting->own != MPI_DATATYPE_NULL)
        PMPI_Type_free(&waiting->own);
    free(waiting);
}

static int plan(struct waiting *waiting, const struct caucus_collective_call *call,
                struct caucus_context *context) {
    struct caucus_work work;
    struct caucus_prepared *prepared = NULL;
    int status = caucus_call_read(&work, call, context);
    if (!status)
        status = caucus_prepared_plan(&work, context, "", false, &prepared);
    if (!status)
        status =
            caucus_prepared_describe(prepared, &work, CAUCUS_SENDING_IMMEDIATE, &waiting->binding);
    caucus_work_free(&work);
    if (status) {
        caucus_prepared_free(prepared);
        return status;
    }
    waiting->prepared = prepared;
    return caucus_pending_type(&waiting->binding.type, &waiting->own);
}

int caucus_pending_group_begin(const struct caucus_collective_call *call,
                               struct caucus_context *context,
                               struct caucus_request_object *request) {
    uint64_t number = context->calls_alone++; /* of those that fail, too */
    struct waiting *waiting = request ? caucus_array(1, sizeof *waiting) : NULL;
    if (!waiting)
        return CAUCUS_NO_MEMORY;
    *waiting = (struct waiting){
        .pending = {.advance = advance, .free = free_waiting, .in_order = true},
        .own = MPI_DATATYPE_NULL,
        .number = number,
    };
    int status = plan(waiting, call, context);
    if (status) {
        free_waiting(&waiting->pending);
        return status;
    }
    caucus_pending_add(&waiting->pending, request);
    caucus_pending_look_at(context); /* the group may be there */
    return request->complete && request->status
               ? caucus_fail(request->status, "%s", request->text ? request->text : "out of memory")
               : CAUCUS_OK;
}
