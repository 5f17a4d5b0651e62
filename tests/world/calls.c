/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends, receives and probes under their own names. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 0x6d657373 };

struct held { /* what MPI_Message stands for */
    unsigned magic;
    struct comm *comm;
    struct message *message;
};

static int check(struct comm *comm, const void *buffer, int count, MPI_Datatype type, int peer,
                 int tag, bool receives) {
    (void)buffer;
    if (!comm)
        return MPI_ERR_COMM;
    if (comm->context->revoked)
        return MPIX_ERR_REVOKED;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (type == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    if ((tag < 0 || tag > tag_bound) && !(receives && tag == MPI_ANY_TAG))
        return MPI_ERR_TAG;
    if (peer == MPI_PROC_NULL || (receives && peer == MPI_ANY_SOURCE))
        return MPI_SUCCESS;
    return peer < 0 || peer >= comm_peers(comm) ? MPI_ERR_RANK : MPI_SUCCESS;
}

static struct request *make(enum request_kind kind, struct comm *comm, const void *buffer,
                            int count, MPI_Datatype type, int peer, int tag) {
    struct request *request = request_new(kind, comm);
    request->buffer = buffer;
    request->count = (size_t)count;
    request->type = type;
    request->peer = peer;
    request->tag = tag;
    return request;
}

static void start(struct request *request) {
    request->active = true;
    request->done = false;
    request->error = MPI_SUCCESS;
    request->pending_said = request->matched = false;
    status_empty(&request->status);
    if (request->peer == MPI_PROC_NULL) {
        request->status.MPI_SOURCE = MPI_PROC_NULL;
        request->done = true;
    } else if (request->kind == RECEIVES) {
        receive_post(request);
    } else if (death_is_known(request->process->rank, comm_process(request->comm, request->peer))) {
        request->error = MPIX_ERR_PROC_FAILED;
        request->done = true;
    } else {
        note_event("rank %d sends to %d: tag %d, comm %d", request->process->rank, request->peer,
                   request->tag, request->comm->context->id);
        message_send(request, request->mode);
    }
}

static int begin(const char *name, enum request_kind kind, enum mode mode, bool persistent,
                 const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm on,
                 MPI_Request *made) {
    struct comm *comm = comm_of(on, name);
    choose(name);
    int code = check(comm, buffer, count, type, peer, tag, kind == RECEIVES);
    if (code)
        return comm_error(comm, code);
    struct request *request = make(kind, comm, buffer, count, type, peer, tag);
    request->mode = mode;
    request->persistent = persistent;
    if (!persistent)
        start(request);
    *made = (MPI_Request)(void *)request;
    return MPI_SUCCESS;
}

static int whole(const char *name, enum request_kind kind, enum mode mode, const void *buffer,
                 int count, MPI_Datatype type, int peer, int tag, MPI_Comm on, MPI_Status *status) {
    MPI_Request request;
    int code = begin(name, kind, mode, false, buffer, count, type, peer, tag, on, &request);
    if (code)
        return code;
    code = request_wait(&request, status, name);
    if (code == MPIX_ERR_PROC_FAILED_PENDING) { /* of a blocking call nothing is left */
        receive_withdraw(request_of(request, name));
        world_Request_free(&request);
        code = MPIX_ERR_PROC_FAILED;
    }
    return comm_error(comm_of(on, name), code);
}

#define SEND(name, mode)                                                                           \
    int world_##name(const void *buffer, int count, MPI_Datatype type, int peer, int tag,          \
                     MPI_Comm comm) {                                                              \
        return whole("MPI_" #name, SENDS, mode, buffer, count, type, peer, tag, comm,              \
                     MPI_STATUS_IGNORE);                                                           \
    }
#define START(name, mode, persistent)                                                              \
    int world_##name(const void *buffer, int count, MPI_Datatype type, int peer, int tag,          \
                     MPI_Comm comm, MPI_Request *request) {                                        \
        return begin("MPI_" #name, SENDS, mode, persistent, buffer, count, type, peer, tag, comm,  \
                     request);                                                                     \
    }
SEND(Send, STANDARD)
SEND(Rsend, READY)
SEND(Bsend, BUFFERED)
SEND(Ssend, SYNCHRONOUS)
START(Isend, STANDARD, false)
START(Irsend, READY, false)
START(Ibsend, BUFFERED, false)
START(Issend, SYNCHRONOUS, false)
START(Send_init, STANDARD, true)
START(Rsend_init, READY, true)
START(Ssend_init, SYNCHRONOUS, true)

int world_Recv(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
               MPI_Status *status) {
    return whole("MPI_Recv", RECEIVES, STANDARD, buffer, count, type, peer, tag, comm, status);
}

int world_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                MPI_Request *request) {
    return begin("MPI_Irecv", RECEIVES, STANDARD, false, buffer, count, type, peer, tag, comm,
                 request);
}

int world_Recv_init(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                    MPI_Request *request) {
    return begin("MPI_Recv_init", RECEIVES, STANDARD, true, buffer, count, type, peer, tag, comm,
                 request);
}

int world_Start(MPI_Request *handle) {
    struct request *request = request_of(*handle, "MPI_Start");
    choose("MPI_Start");
    if (!request || !request->persistent || request->active)
        return comm_error(request ? request->comm : NULL, MPI_ERR_REQUEST);
    if (request->kind == COLLECTIVE)
        collective_start(request);
    else
        start(request);
    return MPI_SUCCESS;
}

int world_Startall(int count, MPI_Request handles[]) {
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && !code; i++)
        code = world_Start(&handles[i]);
    return code;
}

int world_Sendrecv(const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                   void *got, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Status *status) {
    MPI_Request requests[2];
    int code = begin("MPI_Sendrecv", RECEIVES, STANDARD, false, got, count, type, from, tag, comm,
                     &requests[0]);
    if (!code)
        code = begin("MPI_Sendrecv", SENDS, STANDARD, false, sent, send_count, send_type, to,
                     send_tag, comm, &requests[1]);
    if (code)
        return code;
    code = request_wait(&requests[0], status, "MPI_Sendrecv");
    int other = request_wait(&requests[1], MPI_STATUS_IGNORE, "MPI_Sendrecv");
    return comm_error(comm_of(comm, "MPI_Sendrecv"), code ? code : other);
}

int world_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int send_tag,
                           int from, int tag, MPI_Comm comm, MPI_Status *status) {
    struct part part;
    pack(buffer, (size_t)count, type, &part);
    int code = world_Sendrecv(part.data, (int)part.bytes, MPI_PACKED, to, send_tag, buffer, count,
                              type, from, tag, comm, status);
    free(part.data);
    return code;
}

/* ---- probes ---- */
struct probe {
    struct comm *comm;
    int source, tag;
    struct message *found;
};

static bool found(void *argument) {
    struct probe *probe = argument;
    probe->found = message_find(probe->comm->process, probe->comm, probe->source, probe->tag);
    return probe->found || probe_error(probe->comm, probe->source) != MPI_SUCCESS;
}

static void status_of_message(const struct message *message, MPI_Status *status) {
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = message->source;
    status->MPI_TAG = message->tag;
    status->_ucount = message->bytes;
    status->_cancelled = 0;
}

int probe_error(const struct comm *comm, int source) {
    if (comm->context->revoked)
        return MPIX_ERR_REVOKED;
    if (source == MPI_ANY_SOURCE)
        return comm_has_unacknowledged(comm) ? MPIX_ERR_PROC_FAILED : MPI_SUCCESS;
    return death_is_known(comm->process->rank, comm_process(comm, source)) ? MPIX_ERR_PROC_FAILED
                                                                           : MPI_SUCCESS;
}

/* What a probe finds; `flag` is NULL where it waits for it. */
static int look(const char *name, int source, int tag, MPI_Comm on, int *flag,
                struct message **message, MPI_Status *status) {
    struct comm *comm = comm_of(on, name);
    choose(name);
    int code = check(comm, NULL, 0, MPI_BYTE, source, tag, true);
    *message = NULL;
    if (flag)
        *flag = 0;
    if (code)
        return comm_error(comm, code);
    if (source == MPI_PROC_NULL) {
        status_empty(status);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_SOURCE = MPI_PROC_NULL;
        if (flag)
            *flag = 1;
        return MPI_SUCCESS;
    }
    struct probe probe = {comm, source, tag, NULL};
    bool there = found(&probe);
    if (!there && !flag)
        wait_for(found, &probe, (struct call){name, source, tag, comm->context->id});
    *message = probe.found;
    if (flag && probe.found && settings.spurious > 0 && !self->refused && draw_chance(6)) {
        self->refused = true;
        *message = NULL;
        return MPI_SUCCESS;
    }
    self->refused = false;
    if (!probe.found) {
        code = probe_error(comm, source);
        if (!code)
            look_in_vain(name);
        return comm_error(comm, code);
    }
    if (flag)
        *flag = 1;
    status_of_message(probe.found, status);
    return MPI_SUCCESS;
}

int world_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    struct message *message;
    return look("MPI_Probe", source, tag, comm, NULL, &message, status);
}

int world_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    struct message *message;
    return look("MPI_Iprobe", source, tag, comm, flag, &message, status);
}

static void hold(struct message *message, MPI_Comm comm, MPI_Message *made) {
    struct held *held = NEW(1, struct held);
    message_take(message);
    happened();
    *held = (struct held){MESSAGE, comm_of(comm, "MPI_Mprobe"), message};
    *made = (MPI_Message)(void *)held;
}

int world_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *made, MPI_Status *status) {
    struct message *message;
    int code = look("MPI_Mprobe", source, tag, comm, NULL, &message, status);
    *made = MPI_MESSAGE_NO_PROC;
    if (message)
        hold(message, comm, made);
    return code;
}

int world_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *made,
                  MPI_Status *status) {
    struct message *message;
    int code = look("MPI_Improbe", source, tag, comm, flag, &message, status);
    *made = *flag ? MPI_MESSAGE_NO_PROC : MPI_MESSAGE_NULL;
    if (message)
        hold(message, comm, made);
    return code;
}

int world_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *handle,
                 MPI_Request *made) {
    struct held *held = (struct held *)(void *)*handle;
    choose("MPI_Imrecv");
    struct request *request;
    if (*handle == MPI_MESSAGE_NO_PROC) {
        request = make(RECEIVES, self->process->world, buffer, count, type, MPI_PROC_NULL, 0);
        start(request);
    } else {
        if (*handle == MPI_MESSAGE_NULL || held->magic != MESSAGE)
            return comm_error(NULL, MPI_ERR_REQUEST);
        request = make(RECEIVES, held->comm, buffer, count, type, held->message->source,
                       held->message->tag);
        request->active = true;
        message_receive(request, held->message);
        held->magic = 0;
        free(held);
    }
    *handle = MPI_MESSAGE_NULL;
    *made = (MPI_Request)(void *)request;
    return MPI_SUCCESS;
}

int world_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                MPI_Status *status) {
    MPI_Request request;
    int code = world_Imrecv(buffer, count, type, message, &request);
    if (code)
        return code;
    struct comm *comm = request_of(request, "MPI_Mrecv")->comm;
    return comm_error(comm, request_wait(&request, status, "MPI_Mrecv"));
}
