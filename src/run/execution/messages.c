/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of a step: made on the spot, or kept from run to run. */
#include "base/memory.h"
#include "base/status.h"
#include "run/execution/links.h"
#include "run/execution/state.h"
#include "run/progress/waiting.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

enum { STAGING_ALIGNMENT = 64 };

static bool is_message(const struct caucus_operation *operation) {
    return operation->kind == CAUCUS_OPERATION_SEND || operation->kind == CAUCUS_OPERATION_RECEIVE;
}

/* Where a call may fail half-way, after a death or a time limit, it gives the user's buffers back
 * while MPI still sends from them to a third rank, or receives into them: no send can be cancelled,
 * nor a receive that has met its message. So what MPI gets there is a copy of ours, which it keeps
 * after a failure. */
static bool copies(const struct caucus_engine *engine) {
    return engine->detects || engine->timeout > 0;
}

static bool is_copied(const struct caucus_execution *execution, int buffer) {
    return copies(execution->engine) && (buffer == CAUCUS_BUFFER_IN || buffer == CAUCUS_BUFFER_OUT);
}

static bool needs_no_staging(const struct caucus_execution *execution) {
    return !copies(execution->engine) && caucus_layout_is_plain(&execution->in) &&
           caucus_layout_is_plain(&execution->out);
}

/* NULL for what has to be staged. Nobody touches what goes by one copy after a failure. */
static char *address_of(const struct caucus_execution *execution, const struct caucus_operation *o,
                        bool is_linked) {
    bool sends = o->kind == CAUCUS_OPERATION_SEND;
    int buffer = sends ? o->source : o->target;
    if (is_copied(execution, buffer) && !is_linked)
        return NULL;
    int64_t offset = sends ? o->source_offset : o->target_offset;
    char *at = caucus_operand(execution, buffer, offset, o->length);
    return at || is_linked ? at : caucus_operand_straight(execution, buffer, offset, o->length);
}

static bool may_be_staged(const struct caucus_execution *execution,
                          const struct caucus_operation *o) {
    return !address_of(execution, o, false) ||
           (caucus_may_be_linked(execution, o) && !address_of(execution, o, true));
}

static int64_t staging_of(const struct caucus_operation *operation) {
    return (operation->length + STAGING_ALIGNMENT - 1) / STAGING_ALIGNMENT * STAGING_ALIGNMENT;
}

/* Counts messages, which needs no buffers, and what has to be staged for those at hand, at most:
 * which of them get links is not known yet. */
static int64_t measure(struct caucus_execution *execution, int64_t *most_linked) {
    struct caucus_messages *messages = &execution->messages;
    int64_t step = 0, staged = 0, most_staged = 0, linked = 0;
    bool flat = needs_no_staging(execution);
    messages->in_step = messages->in_schedule = *most_linked = 0;
    for (const struct caucus_operation *o = execution->schedule->operations; o < execution->end;
         o++) {
        if (is_message(o)) {
            step += caucus_pieces_of(o);
            linked += caucus_may_be_linked(execution, o);
            messages->in_schedule += caucus_pieces_of(o);
            if (!flat && may_be_staged(execution, o))
                staged += staging_of(o);
            int buffer = o->kind == CAUCUS_OPERATION_SEND ? o->source : o->target;
            if (buffer == CAUCUS_BUFFER_LINE || buffer == CAUCUS_BUFFER_NODE)
                messages->kept = false;
        }
        messages->in_step = step > messages->in_step ? step : messages->in_step;
        most_staged = staged > most_staged ? staged : most_staged;
        *most_linked = linked > *most_linked ? linked : *most_linked;
        if (o->ends_step)
            step = staged = linked = 0;
    }
    return most_staged;
}

/* Posts or makes the pieces of a message; request has room for them. */
static int for_pieces(const struct caucus_execution *execution, const struct caucus_operation *o,
                      char *at, bool make, MPI_Request *request) {
    MPI_Comm comm = execution->engine->attachment->comm;
    int tag = execution->arena->tag, code = MPI_SUCCESS;
    int peer = caucus_engine_rank(execution->engine, o->peer);
    bool sends = o->kind == CAUCUS_OPERATION_SEND;
    for (int64_t done = 0; done < o->length && code == MPI_SUCCESS;
         done += CAUCUS_PIECE, request++) {
        int length = (int)(o->length - done < CAUCUS_PIECE ? o->length - done : CAUCUS_PIECE);
        if (make && sends)
            code = PMPI_Send_init(at + done, length, MPI_BYTE, peer, tag, comm, request);
        else if (make)
            code = PMPI_Recv_init(at + done, length, MPI_BYTE, peer, tag, comm, request);
        else if (sends)
            code = PMPI_Isend(at + done, length, MPI_BYTE, peer, tag, comm, request);
        else
            code = PMPI_Irecv(at + done, length, MPI_BYTE, peer, tag, comm, request);
    }
    return caucus_mpi_status(code, sends ? "sending a message" : "receiving a message");
}

/* The address from which a message is sent or to which it is received: the user's or staging. */
static char *place(struct caucus_execution *execution, const struct caucus_operation *o,
                   bool *staged) {
    struct caucus_messages *messages = &execution->messages;
    char *at = address_of(execution, o, caucus_is_linked(execution, o));
    *staged = !at;
    if (at)
        return at;
    at = messages->staging + messages->staged;
    messages->staged += staging_of(o);
    return at;
}

static int make_kept(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    MPI_Request *request = messages->requests;
    int status = CAUCUS_OK;
    bool staged;
    messages->are_made = true;
    messages->staged = 0;
    for (const struct caucus_operation *o = execution->schedule->operations;
         o < execution->end && !status; o++) {
        char *at = is_message(o) ? place(execution, o, &staged) : NULL;
        if (at && !caucus_is_linked(execution, o)) {
            status = for_pieces(execution, o, at, true, request);
            request += caucus_pieces_of(o);
        }
        if (o->ends_step)
            messages->staged = 0;
    }
    if (status)
        caucus_messages_forget_kept(execution);
    return status;
}

static int make_room(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    int64_t count = messages->kept ? messages->in_schedule : messages->in_step;
    messages->requests = caucus_array(count, sizeof *messages->requests);
    messages->statuses = caucus_array(messages->in_step, sizeof *messages->statuses);
    if (!messages->requests || !messages->statuses)
        return CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < count; i++)
        messages->requests[i] = MPI_REQUEST_NULL;
    return CAUCUS_OK;
}

int caucus_messages_prepare(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    int status = CAUCUS_OK;
    if (!execution->has_messages)
        return CAUCUS_OK;
    int64_t linked = 0;
    int64_t staging =
        messages->requests && needs_no_staging(execution) ? 0 : measure(execution, &linked);
    if (messages->in_step > INT32_MAX)
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "a step has %lld messages",
                           (long long)messages->in_step);
    if (!messages->requests)
        status = make_room(execution);
    if (!status)
        status = caucus_links_reserve(execution, linked);
    if (!status && staging > messages->staging_room) {
        free(messages->staging);
        messages->staging = caucus_array(staging, 1);
        messages->staging_room = messages->staging ? staging : 0;
        status = messages->staging ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    bool knows_links = !execution->links.wanted || execution->arena->link;
    if (!status && messages->kept && !messages->are_made && knows_links)
        status = make_kept(execution); /* else at the first start */
    return status;
}

void caucus_messages_open(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    messages->first = messages->requests;
    if (messages->kept)
        messages->first += messages->begun;
    messages->open = messages->staged = 0;
    messages->unpacks = false;
}

int caucus_messages_post(struct caucus_execution *execution, const struct caucus_operation *o) {
    struct caucus_messages *messages = &execution->messages;
    int status = CAUCUS_OK;
    bool staged;
    if (messages->kept && !messages->are_made)
        status = make_kept(execution);
    char *at = place(execution, o, &staged);
    if (!status && staged && o->kind == CAUCUS_OPERATION_SEND)
        status = caucus_operand_read(execution, o->source, o->source_offset, o->length, at);
    if (status)
        return status;
    messages->unpacks |= staged && o->kind == CAUCUS_OPERATION_RECEIVE;
    if (caucus_is_linked(execution, o)) {
        caucus_links_post(execution, o, at);
        return CAUCUS_OK;
    }
    if (!messages->kept)
        status = for_pieces(execution, o, at, false, messages->first + messages->open);
    messages->open += caucus_pieces_of(o);
    return status;
}

int caucus_messages_start(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    if (!messages->kept || messages->open == 0)
        return CAUCUS_OK;
    messages->begun += messages->open;
    return caucus_mpi_status(PMPI_Startall((int)messages->open, messages->first), "MPI_Startall");
}

/* What was received into staging goes where it belongs; the order is that of posting. */
static int unpack(struct caucus_execution *execution) {
    bool staged;
    int status = CAUCUS_OK;
    execution->messages.staged = 0;
    for (const struct caucus_operation *o = execution->operation;
         o <= execution->step_last && !status; o++) {
        if (!is_message(o))
            continue;
        const char *at = place(execution, o, &staged);
        if (staged && o->kind == CAUCUS_OPERATION_RECEIVE)
            status = caucus_operand_write(execution, o->target, o->target_offset, o->length, at);
    }
    return status;
}

static int failure_of(const struct caucus_messages *messages, int code) {
    for (int64_t i = 0; code == MPI_ERR_IN_STATUS && i < messages->open; i++) {
        int error = messages->statuses[i].MPI_ERROR;
        if (error != MPI_SUCCESS && error != MPI_ERR_PENDING)
            code = error;
    }
    int status = caucus_mpi_status(code, "a message"), class = MPI_SUCCESS;
    PMPI_Error_class(code, &class);
    return class == MPI_ERR_TRUNCATE ? CAUCUS_TRUNCATED : status;
}

static int test_requests(struct caucus_messages *messages) {
    int all = 0;
    int code = PMPI_Testall((int)messages->open, messages->first, &all, messages->statuses);
    if (code != MPI_SUCCESS)
        return failure_of(messages, code);
    if (all)
        messages->open = 0;
    return CAUCUS_OK;
}

int caucus_messages_test(struct caucus_execution *execution, bool *through) {
    struct caucus_messages *messages = &execution->messages;
    int status = messages->open > 0 ? test_requests(messages) : CAUCUS_OK;
    if (!status && execution->links.left > 0)
        status = caucus_links_test(execution);
    *through = !status && !caucus_has_open_messages(execution);
    return *through && messages->unpacks ? unpack(execution) : status;
}

/* Of a run that failed. What MPI may still send from, or receive into, is kept. */
void caucus_messages_abandon(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    for (int64_t i = 0; i < messages->open; i++) {
        MPI_Request *request = &messages->first[i];
        if (*request == MPI_REQUEST_NULL)
            continue;
        int complete = 0;
        PMPI_Request_get_status(*request, &complete, MPI_STATUS_IGNORE);
        if (!complete)
            PMPI_Cancel(request);
        PMPI_Request_free(request);
        messages->is_abandoned = true;
    }
    messages->open = 0;
    caucus_links_abandon(execution);
    caucus_messages_forget_kept(execution);
}

void caucus_messages_free_buffer(const struct caucus_messages *messages, void *buffer) {
    if (messages->is_abandoned)
        caucus_waiting_leave(buffer);
    else
        free(buffer);
}

void caucus_messages_forget_kept(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    if (!messages->are_made)
        return;
    for (int64_t i = 0; i < messages->in_schedule; i++)
        if (messages->requests[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&messages->requests[i]);
    messages->are_made = false;
}

void caucus_messages_free(struct caucus_execution *execution) {
    struct caucus_messages *messages = &execution->messages;
    int finalized;
    PMPI_Finalized(&finalized);
    if (!finalized)
        caucus_messages_forget_kept(execution);
    free(messages->requests);
    free(messages->statuses);
    caucus_messages_free_buffer(messages, messages->staging);
}
