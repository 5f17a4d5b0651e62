/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"
#include "api/redistribute/call.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/engine/roll_call.h"
#include "run/peers/agree.h"

#include <stdio.h>
#include <stdlib.h>

/* The schedule in an arena that has what it needs. All ranks come here alike. */
static int place(struct caucus_request_object *request, const struct caucus_redistribute_work *work,
                 bool relays) {
    struct caucus_engine *engine = request->context->engine;
    struct caucus_prepared *prepared = request->prepared;
    int status = caucus_redistribution_schedule(&work->plan, &work->relay, &prepared->schedule);
    status = caucus_agree(&engine->attachment->peers, status, 0, NULL);
    if (status || !relays)
        return status;
    caucus_arena_free(engine, prepared->arena);
    prepared->arena = NULL;
    return caucus_arena_create(engine, prepared->schedule.lines, prepared->schedule.node_bytes,
                               &prepared->arena);
}

/* One of the user's buffers in the order of a side. */
static int lay_out(const struct caucus_redistribute_side *given,
                   const struct caucus_index_side *side, struct caucus_layout *layout) {
    MPI_Aint lower, extent = 0;
    *layout = (struct caucus_layout){.base = given->buffer, .flat = true};
    if (side->parts == 0)
        return CAUCUS_OK;
    PMPI_Type_get_extent(given->type, &lower, &extent);
    int64_t *counts = caucus_array(side->parts, sizeof *counts);
    int64_t *displacements = caucus_array(side->parts, sizeof *displacements);
    int status = counts && displacements ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < side->parts && !status; i++) {
        counts[i] = side->part[i].count;
        if (__builtin_mul_overflow(side->part[i].position, (int64_t)extent, &displacements[i]))
            status =
                caucus_fail(CAUCUS_BAD_COUNT, "%s spans more than 2^63 bytes", given->buffer_name);
    }
    if (!status)
        status = caucus_layout_many(layout, given->buffer, side->parts, counts, displacements,
                                    given->type);
    free(counts);
    free(displacements);
    return status;
}

static int bind(const struct caucus_redistribute_call *call, struct caucus_request_object *request,
                const struct caucus_redistribute_work *work) {
    struct caucus_prepared *prepared = request->prepared;
    struct caucus_binding binding = {
        .schedule = &prepared->schedule,
        .op = MPI_OP_NULL,
        .type = MPI_DATATYPE_NULL,
        .sending = (enum caucus_sending)work->hints.sending,
        .shares_memory = work->hints.shares_memory,
        .name = prepared->name,
    };
    snprintf(prepared->name, sizeof prepared->name, "redistribution");
    int status = lay_out(&call->send, &work->plan.send, &binding.in);
    if (!status) {
        status = lay_out(&call->receive, &work->plan.receive, &binding.out);
        if (status)
            caucus_layout_free(&binding.in);
    }
    if (!status)
        status =
            caucus_prepared_run_in(prepared, request->context->engine, prepared->arena, &binding);
    return caucus_agree(&request->context->attachment->peers, status, 0, NULL);
}

/* Up to the agreement that all arguments are good. */
static int open(const struct caucus_redistribute_call *call, struct caucus_context *context,
                struct caucus_request_object *request, struct caucus_redistribute_work *work) {
    int status = caucus_redistribute_read(work, call, context);
    if (request)
        request->prepared = caucus_array(1, sizeof *request->prepared);
    if (!request || !request->prepared)
        status = CAUCUS_NO_MEMORY;
    else
        request->prepared->engine = context->engine;
    const struct caucus_item item = {"info", CAUCUS_ITEM_TEXT, work->hints.agreed, 0};
    return caucus_agree(&context->attachment->peers, status, 1, &item);
}

static int prepare(const struct caucus_redistribute_call *call, struct caucus_context *context,
                   struct caucus_request_object *request) {
    struct caucus_redistribute_work work;
    int status = open(call, context, request, &work);
    if (!status)
        status = caucus_arena_create(context->engine, 0, 0, &request->prepared->arena);
    if (!status)
        status = caucus_redistribute_settle(&work, context, request->prepared->arena);
    if (!status)
        status = place(request, &work, work.hints.shares_memory);
    if (!status)
        status = bind(call, request, &work);
    caucus_redistribute_work_free(&work);
    return status;
}

static int make(const struct caucus_redistribute_call *call) {
    struct caucus_context *context;
    int status = caucus_check_any_comm(call->comm);
    if (!status)
        status = caucus_context_get(call->comm, &context);
    if (status)
        return caucus_raise(call->comm, NULL, call->function, status);
    struct caucus_request_object *request = caucus_request_create(context, MPI_OP_NULL);
    status = caucus_roll_call(context->attachment, context->settings.patience);
    if (!status) /* nobody blocks within MPI before all are here */
        status = caucus_peers_meet(&context->attachment->peers);
    if (!status)
        status = prepare(call, context, request);
    if (!status) {
        request->persistent = true;
        *call->request = request;
        caucus_succeed();
        return MPI_SUCCESS;
    }
    int code =
        caucus_context_raise(context, !context->attachment->given_up, call->function, status);
    if (request)
        caucus_request_destroy(request);
    return code;
}

int caucus_redistribute_init(const void *sendbuf, MPI_Count have_count,
                             const caucus_index_range have[], MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count want_count, const caucus_index_range want[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                             caucus_request *request) {
    struct caucus_redistribute_call call = {
        .function = __func__,
        .send = {(void *)(uintptr_t)sendbuf, have_count, have, sendtype, "sendbuf", "have",
                 "sendtype"},
        .receive = {recvbuf, want_count, want, recvtype, "recvbuf", "want", "recvtype"},
        .comm = comm,
        .info = info,
        .request = request,
    };
    return make(&call);
}
