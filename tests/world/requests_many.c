/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete several requests. */
#include "world.h"

struct several {
    int count;
    MPI_Request *handles;
};

static bool all_ready(void *argument) {
    struct several *several = argument;
    bool all = true;
    for (int i = 0; i < several->count; i++) {
        struct request *request = request_of(several->handles[i], "MPI_Waitall");
        if (request && request_is_pending(request))
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
            any |= request_interests(request);
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
            call = request_call(name, request);
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
        if (request && request_is_pending(request) && !request->done)
            codes[i] = request_say_pending(request);
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
        *flag = request_seems_ended(request_of(handles[i], "MPI_Testall"));
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
        if (request_is_pending(request) ||
            (surely ? request_ended(request) : request_seems_ended(request)))
            return at;
    }
    return MPI_UNDEFINED;
}

static int complete_one(MPI_Request handles[], int index, MPI_Status *status) {
    struct request *request = request_of(handles[index], "MPI_Waitany");
    struct comm *comm = request->comm;
    if (request_is_pending(request))
        return comm_error(comm, request_say_pending(request));
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
        if (!request_is_pending(request) &&
            !(certain ? request_ended(request) : request_seems_ended(request)))
            continue;
        MPI_Status *status = status_at(statuses, *ended);
        int code = request_is_pending(request) ? request_say_pending(request)
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
