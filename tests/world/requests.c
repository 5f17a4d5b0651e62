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
    if (request->kind != RECEIVES || request->done || !request->active)
        return false;
    if (request->comm->context->revoked) {
        request->error = MPIX_ERR_REVOKED;
        return true;
    }
    if (request->peer == MPI_ANY_SOURCE)
        return false;
    int peer = comm_process(request->comm, request->peer);
    if (!death_is_known(request->process->rank, peer))
        return false;
    request->error = MPIX_ERR_PROC_FAILED;
    return true;
}

bool request_ended(struct request *request) {
    if (!request->active)
        return true;
    if (request->done)
        return true;
    if (fails(request)) {
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
static bool is_pending(struct request *request) {
    if (!request->active || request->kind != RECEIVES || request->peer != MPI_ANY_SOURCE)
        return false;
    if (request->done)
        return request->pending_said && (settings.faults & FAULT_PENDING_FOR_EVER);
    if (comm_has_unacknowledged(request->comm))
        return true;
    request->pending_said = false;
    return false;
}

static int say_pending(struct request *request) {
    request->pending_said = true;
    return MPIX_ERR_PROC_FAILED_PENDING;
}

static void forget(struct request *request) {
    request->freed = true;
    request->process->requests--;
}

/* What has ended: its status, and its handle where it is no persistent one. */
int request_complete(MPI_Request *handle, MPI_Status *status) {
    struct request *request = request_of(*handle, "completion");
    if (!request || !request->active) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    int error = request->error;
    status_copy(status, &request->status);
    request->active = false;
    request->error = MPI_SUCCESS;
    request->refusals = 0;
    happened();
    if (!request->persistent) {
        forget(request);
        *handle = MPI_REQUEST_NULL;
    }
    return error;
}

/* As a test sees it. */
static bool seems_ended(struct request *request) {
    if (!request || !request->active)
        return true;
    if (!request_ended(request))
        return false;
    if (settings.spurious > 0 && request->refusals < REFUSALS && draw_chance(6)) {
        request->refusals++;
        happened();
        return false;
    }
    return true;
}

static bool interests(struct request *request) {
    return request_ended(request) || is_pending(request);
}

static bool one_ready(void *argument) {
    return interests(argument);
}

static struct call call_of(const char *name, const struct request *request) {
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
    if (!interests(request))
        wait_for(one_ready, request, call_of(call, request));
    if (is_pending(request))
        return say_pending(request);
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
    if (request && is_pending(request))
        return comm_error(comm, say_pending(request));
    if (seems_ended(request)) {
        *flag = 1;
        return comm_error(comm, request_complete(handle, status));
    }
    look_in_vain("MPI_Test");
    return MPI_SUCCESS;
}

int world_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status) {
    struct request *request = request_of(handle, "MPI_Request_get_status");
    choose("MPI_Request_get_status");
    *flag = seems_ended(request);
    if (!*flag)
        look_in_vain("MPI_Request_get_status");
    else if (request && request->active)
        status_copy(status, &request->status);
    else
        status_empty(status);
    return MPI_SUCCESS;
}

int world_Request_free(MPI_Request *handle) {
    struct request *request = request_of(*handle, "MPI_Request_free");
    if (!request)
        return comm_error(NULL, MPI_ERR_REQUEST);
    choose("MPI_Request_free");
    forget(request);
    *handle = MPI_REQUEST_NULL;
    happened();
    return MPI_SUCCESS;
}

int world_Cancel(MPI_Request *handle) {
    struct request *request = request_of(*handle, "MPI_Cancel");
    choose("MPI_Cancel");
    if (request && request->kind == RECEIVES && request->active && !request->done) {
        receive_withdraw(request);
        request->done = true;
        request->status._cancelled = 1;
        happened();
    }
    return MPI_SUCCESS;
}

int world_Test_cancelled(const MPI_Status *status, int *flag) {
    *flag = status->_cancelled;
    return MPI_SUCCESS;
}

/* ---- several ---- */
struct several {
    int count;
    MPI_Request *handles;
};

static bool all_ready(void *argument) {
    struct several *several = argument;
    bool all = true;
    for (int i = 0; i < several->count; i++) {
        struct request *request = request_of(several->handles[i], "MPI_Waitall");
        if (request && is_pending(request))
            return true;
        all &= !request || request_ended(request);
    }
    return all;
}

static bool any_ready(void *argument) {
    struct several *several = argument;
    bool any = false, active = false;
    for (int i = 0; i < several->count; i++) {
        struct request *request = request_of(several->handles[i], "MPI_Waitany");
        if (request && request->active) {
            active = true;
            any |= interests(request);
        }
    }
    return any || !active;
}

static void wait_several(bool (*ready)(void *), int count, MPI_Request handles[],
                         const char *name) {
    struct several several = {count, handles};
    struct call call = {name, -1, -1, -1};
    choose(name);
    for (int i = count - 1; i >= 0; i--) {
        struct request *request = request_of(handles[i], name);
        if (request && request->active && !request_ended(request))
            call = call_of(name, request);
    }
    if (!ready(&several))
        wait_for(ready, &several, call);
}

static MPI_Status *status_at(MPI_Status *statuses, int i) {
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

static int complete_all(int count, MPI_Request handles[], MPI_Status statuses[]) {
    bool failed = false;
    struct comm *comm = NULL;
    int codes[count > 0 ? count : 1];
    for (int i = 0; i < count; i++) {
        struct request *request = request_of(handles[i], "MPI_Waitall");
        codes[i] = MPI_SUCCESS;
        if (request && is_pending(request) && !request->done)
            codes[i] = say_pending(request);
        else if (request && !request_ended(request))
            codes[i] = MPI_ERR_PENDING;
        if (request)
            comm = comm ? comm : request->comm;
        if (codes[i] == MPI_SUCCESS)
            codes[i] = request_complete(&handles[i], status_at(statuses, i));
        failed |= codes[i] != MPI_SUCCESS;
    }
    for (int i = 0; i < count && failed && statuses != MPI_STATUSES_IGNORE; i++)
        statuses[i].MPI_ERROR = codes[i];
    return failed ? comm_error(comm, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

int world_Waitall(int count, MPI_Request handles[], MPI_Status statuses[]) {
    wait_several(all_ready, count, handles, "MPI_Waitall");
    return complete_all(count, handles, statuses);
}

int world_Testall(int count, MPI_Request handles[], int *flag, MPI_Status statuses[]) {
    struct several several = {count, handles};
    choose("MPI_Testall");
    *flag = all_ready(&several);
    for (int i = 0; i < count && *flag; i++)
        *flag = seems_ended(request_of(handles[i], "MPI_Testall"));
    if (*flag)
        return complete_all(count, handles, statuses);
    look_in_vain("MPI_Testall");
    return MPI_SUCCESS;
}

/* One of those that have ended, or MPI_UNDEFINED; `active` says whether there is any. */
static int find_ended(int count, MPI_Request handles[], bool surely, bool *active) {
    int first = count > 0 ? draw(count) : 0;
    *active = false;
    for (int i = 0; i < count; i++) {
        int at = (first + i) % count;
        struct request *request = request_of(handles[at], "MPI_Waitany");
        if (!request || !request->active)
            continue;
        *active = true;
        if (is_pending(request) || (surely ? request_ended(request) : seems_ended(request)))
            return at;
    }
    return MPI_UNDEFINED;
}

static int complete_one(MPI_Request handles[], int index, MPI_Status *status) {
    struct request *request = request_of(handles[index], "MPI_Waitany");
    struct comm *comm = request->comm;
    if (is_pending(request))
        return comm_error(comm, say_pending(request));
    return comm_error(comm, request_complete(&handles[index], status));
}

int world_Waitany(int count, MPI_Request handles[], int *index, MPI_Status *status) {
    bool active;
    wait_several(any_ready, count, handles, "MPI_Waitany");
    *index = find_ended(count, handles, true, &active);
    if (*index != MPI_UNDEFINED)
        return complete_one(handles, *index, status);
    status_empty(status);
    return MPI_SUCCESS;
}

int world_Testany(int count, MPI_Request handles[], int *index, int *flag, MPI_Status *status) {
    bool active;
    choose("MPI_Testany");
    *index = find_ended(count, handles, false, &active);
    *flag = *index != MPI_UNDEFINED || !active;
    if (*index != MPI_UNDEFINED)
        return complete_one(handles, *index, status);
    if (active)
        look_in_vain("MPI_Testany");
    else
        status_empty(status);
    return MPI_SUCCESS;
}

static int some(int count, MPI_Request handles[], int *ended, int indices[], MPI_Status statuses[],
                bool surely) {
    bool active = false, failed = false;
    struct comm *comm = NULL;
    *ended = 0;
    for (int i = 0; i < count; i++) {
        struct request *request = request_of(handles[i], "MPI_Testsome");
        if (!request || !request->active)
            continue;
        active = true;
        comm = request->comm;
        bool certain = surely && *ended == 0;
        if (!is_pending(request) && !(certain ? request_ended(request) : seems_ended(request)))
            continue;
        MPI_Status *status = status_at(statuses, *ended);
        int code = is_pending(request) ? say_pending(request)
                                       : request_complete(&handles[i], status);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = code;
        failed |= code != MPI_SUCCESS;
        indices[(*ended)++] = i;
    }
    if (!active)
        *ended = MPI_UNDEFINED;
    return failed ? comm_error(comm, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

int world_Waitsome(int count, MPI_Request handles[], int *ended, int indices[],
                   MPI_Status statuses[]) {
    wait_several(any_ready, count, handles, "MPI_Waitsome");
    return some(count, handles, ended, indices, statuses, true);
}

int world_Testsome(int count, MPI_Request handles[], int *ended, int indices[],
                   MPI_Status statuses[]) {
    choose("MPI_Testsome");
    int code = some(count, handles, ended, indices, statuses, false);
    if (*ended == 0)
        look_in_vain("MPI_Testsome");
    return code;
}
