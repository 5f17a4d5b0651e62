/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and the calls that complete them. A test may say "not yet" of what has ended, a bounded
 * number of times. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { REQUEST = 0x72657175, REFUSALS = 3 };

struct request *request_new(enum request_kind kind, struct comm *comm) {
    struct request *request = NEW(1, struct request);
    request->magic = REQUEST;
    request->kind = kind;
    request->comm = comm;
    request->process = self->process;
    request->process->requests++;
    status_empty(&request->status);
    return request;
}

struct request *request_of(MPI_Request handle, const char *call) {
    struct request *request = (struct request *)(void *)handle;
    if (handle == MPI_REQUEST_NULL)
        return NULL;
    must_be_open(call);
    if (!request || request->magic != REQUEST)
        finish(BROKEN, 1, "rank %d: %s on what is no request", self->process->rank, call);
    if (request->freed)
        finish(BROKEN, 1, "rank %d: %s on a request that was freed", self->process->rank, call);
    if (request->process != self->process)
        finish(BROKEN, 1, "rank %d: %s on a request of another rank", self->process->rank, call);
    return request;
}

void status_empty(MPI_Status *status) {
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
    status->_ucount = 0;
    status->_cancelled = 0;
}

void status_copy(MPI_Status *to, const MPI_Status *from) {
    if (to == MPI_STATUS_IGNORE)
        return;
    int error = to->MPI_ERROR;
    *to = *from;
    to->MPI_ERROR = error;
}

/* Whether a death ends or interrupts it. */
static bool fails(struct request *request) {
    bool receives = request->kind == RECEIVES;
    if ((!receives && request->kind != SENDS) || request->done || !request->active ||
        request->matched)
        return false;
    if (receives && request->comm->context->revoked) {
        request->error = MPIX_ERR_REVOKED;
        return true;
    }
    if (request->peer == MPI_ANY_SOURCE ||
        !death_is_known(request->process->rank, comm_process(request->comm, request->peer)))
        return false;
    request->error = MPIX_ERR_PROC_FAILED;
    if (request->message) { /* of a send that nobody takes any more */
        request->message->send = NULL;
        request->message->bytes = 0;
        request->message = NULL;
    }
    return true;
}

bool request_ended(struct request *request) {
    if (!request->active)
        return true;
    if (request->done)
        return true;
    if (fails(request)) {
        if (request->kind == RECEIVES)
            receive_withdraw(request);
        request->done = true;
        return true;
    }
    if (request->poll && request->poll(request)) {
        request->done = true;
        happened();
    }
    return request->done;
}

/* An unacknowledged death: a receive from any neither ends nor waits in peace. Open MPI 5.0.11
 * repeats that for ever where the message came between its word and the next look. */
bool request_is_pending(struct request *request) {
    if (!request->active || request->kind != RECEIVES || request->peer != MPI_ANY_SOURCE)
        return false;
    if (request->done)
        return request->pending_said && !request->error &&
               (settings.faults & FAULT_PENDING_FOR_EVER);
    if (comm_has_unacknowledged(request->comm))
        return true;
    request->pending_said = false;
    return false;
}

int request_say_pending(struct request *request) {
    request->pending_said = true;
    look_in_vain("MPI_Wait");
    return MPIX_ERR_PROC_FAILED_PENDING;
}

static int forget(struct request *request) {
    request->freed = true;
    request->process->requests--;
    return generalized_free(request);
}

/* What has ended: its status, and its handle where it is no persistent one. */
int request_complete(MPI_Request *handle, MPI_Status *status) {
    struct request *request = request_of(*handle, "completion");
    if (!request || !request->active) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    int error = request->error ? request->error : generalized_query(request);
    status_copy(status, &request->status);
    request->active = false;
    request->error = MPI_SUCCESS;
    request->refusals = 0;
    happened();
    if (!request->persistent) {
        int code = forget(request);
        error = error ? error : code;
        *handle = MPI_REQUEST_NULL;
    }
    return error;
}

/* As a test sees it. */
bool request_seems_ended(struct request *request) {
    if (!request || !request->active)
        return true;
    if (!request_ended(request))
        return false;
    if (settings.spurious > 0 && request->kind != GENERALIZED && request->refusals < REFUSALS &&
        draw_chance(6)) {
        request->refusals++;
        happened();
        return false;
    }
    return true;
}

bool request_interests(struct request *request) {
    return request_ended(request) || request_is_pending(request);
}

static bool one_ready(void *argument) {
    return request_interests(argument);
}

struct call request_call(const char *name, const struct request *request) {
    if (request->kind == COLLECTIVE || request->kind == CONSTRUCTS)
        return (struct call){request->collective->name, -1, -1, request->comm->context->id};
    return (struct call){name, request->peer, request->tag, request->comm->context->id};
}

static struct comm *comm_of_request(struct request *request) {
    return request ? request->comm : NULL;
}

int request_wait(MPI_Request *handle, MPI_Status *status, const char *call) {
    struct request *request = request_of(*handle, call);
    if (!request || !request->active) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    if (!request_interests(request))
        wait_for(one_ready, request, request_call(call, request));
    if (request_is_pending(request))
        return request_say_pending(request);
    return request_complete(handle, status);
}

int world_Wait(MPI_Request *handle, MPI_Status *status) {
    choose("MPI_Wait");
    struct comm *comm = comm_of_request(request_of(*handle, "MPI_Wait"));
    return comm_error(comm, request_wait(handle, status, "MPI_Wait"));
}

int world_Test(MPI_Request *handle, int *flag, MPI_Status *status) {
    struct request *request = request_of(*handle, "MPI_Test");
    struct comm *comm = comm_of_request(request);
    choose("MPI_Test");
    *flag = 0;
    if (request && request_is_pending(request))
        return comm_error(comm, request_say_pending(request));
    if (request_seems_ended(request)) {
        *flag = 1;
        return comm_error(comm, request_complete(handle, status));
    }
    look_in_vain("MPI_Test");
    return MPI_SUCCESS;
}

int world_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status) {
    struct request *request = request_of(handle, "MPI_Request_get_status");
    choose("MPI_Request_get_status");
    *flag = request_seems_ended(request);
    if (!*flag)
        look_in_vain("MPI_Request_get_status");
    else if (request && request->active) {
        int code = generalized_query(request);
        request->refusals = REFUSALS; /* nobody says no after that */
        status_copy(status, &request->status);
        return comm_error(request->comm, code);
    } else
        status_empty(status);
    return MPI_SUCCESS;
}

int world_Request_free(MPI_Request *handle) {
    struct request *request = request_of(*handle, "MPI_Request_free");
    if (!request)
        return comm_error(NULL, MPI_ERR_REQUEST);
    choose("MPI_Request_free");
    if (request->active && (request->kind == COLLECTIVE || request->kind == CONSTRUCTS))
        finish(BROKEN, 1, "rank %d: MPI_Request_free on a collective that is under way",
               self->process->rank);
    int code = forget(request);
    *handle = MPI_REQUEST_NULL;
    happened();
    return comm_error(request->comm, code);
}

int world_Cancel(MPI_Request *handle) {
    struct request *request = request_of(*handle, "MPI_Cancel");
    choose("MPI_Cancel");
    if (request && (request->kind == COLLECTIVE || request->kind == CONSTRUCTS))
        finish(BROKEN, 1, "rank %d: MPI_Cancel on a collective", self->process->rank);
    if (request && request->kind == RECEIVES && request->active && !request->done &&
        !request->matched) {
        receive_withdraw(request);
        request->done = true;
        request->status._cancelled = 1;
        happened();
    }
    return request ? comm_error(request->comm, generalized_cancel(request)) : MPI_SUCCESS;
}

int world_Test_cancelled(const MPI_Status *status, int *flag) {
    *flag = status->_cancelled;
    return MPI_SUCCESS;
}
