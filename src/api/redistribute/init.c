/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/raise.h"
#include "api/redistribute/call.h"
#include "base/status.h"
#include "run/agree.h"

#include <stdio.h>

/* The schedule in an arena that has what it needs. All ranks come here alike. */
static int place(struct caucus_request_object *request, const struct caucus_redistribute_work *work,
                 bool relays) {
    struct caucus_engine *engine = request->team->engine;
    struct caucus_prepared *prepared = &request->prepared;
    int status = caucus_redistribution_schedule(&work->plan, &work->relay, &prepared->schedule);
    status = caucus_agree(&engine->attachment->peers, status, 0, NULL);
    if (status || !relays)
        return status;
    caucus_arena_free(engine, request->arena);
    request->arena = NULL;
    return caucus_arena_create(engine, prepared->schedule.lines, prepared->schedule.node_bytes,
                               &request->arena);
}

static int bind(const struct caucus_redistribute_call *call, struct caucus_request_object *request,
                const struct caucus_redistribute_work *work) {
    struct caucus_prepared *prepared = &request->prepared;
    struct caucus_binding binding = {
        .schedule = &prepared->schedule,
        .op = MPI_OP_NULL,
        .type = MPI_DATATYPE_NULL,
        .sending = (enum caucus_sending)work->hints.settings.sending,
        .requests_at_init = work->hints.settings.requests_at_init,
        .name = prepared->name,
    };
    snprintf(prepared->name, sizeof prepared->name, "redistribution");
    int status = caucus_redistribute_layout(&call->send, &work->plan.send, &binding.in);
    if (!status) {
        status = caucus_redistribute_layout(&call->receive, &work->plan.receive, &binding.out);
        if (status)
            caucus_layout_free(&binding.in);
    }
    if (!status)
        status = caucus_execution_create(request->team->engine, request->arena, &binding,
                                         &prepared->execution);
    return caucus_agree(&request->team->attachment->peers, status, 0, NULL);
}

/* Up to the agreement that all arguments are good. */
static int open(const struct caucus_redistribute_call *call, struct caucus_team *team,
                struct caucus_request_object *request, struct caucus_redistribute_work *work) {
    int status = caucus_redistribute_read(work, call, team);
    if (!request)
        status = CAUCUS_NO_MEMORY;
    const struct caucus_item item = {"info", CAUCUS_ITEM_TEXT, work->hints.agreed, 0};
    return caucus_agree(&team->attachment->peers, status, 1, &item);
}

static int prepare(const struct caucus_redistribute_call *call, struct caucus_team *team,
                   struct caucus_request_object *request) {
    struct caucus_redistribute_work work;
    int status = open(call, team, request, &work);
    if (!status)
        status = caucus_arena_create(team->engine, 0, 0, &request->arena);
    if (!status)
        status = caucus_redistribute_settle(&work, team, request->arena);
    if (!status)
        status = place(request, &work, work.hints.shares_memory);
    if (!status)
        status = bind(call, request, &work);
    caucus_redistribute_work_free(&work);
    return status;
}

static int make(const struct caucus_redistribute_call *call) {
    struct caucus_team *team;
    int status = caucus_check_any_comm(call->comm);
    if (!status)
        status = caucus_team_get(call->comm, &team);
    if (status)
        return caucus_raise(call->comm, NULL, call->function, status);
    struct caucus_request_object *request = caucus_request_create(team, MPI_OP_NULL);
    status = prepare(call, team, request);
    if (!status) {
        request->persistent = true;
        *call->request = request;
        return MPI_SUCCESS;
    }
    int code = caucus_team_raise(team, true, call->function, status);
    if (request)
        caucus_request_drop(request);
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
