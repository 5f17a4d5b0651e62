/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and their error handlers: handles of the world's own. */
#include "report.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

enum { COMM = 0x636f6d6d };

/* Of communicators that all have freed: a new one gets the last again, or in some runs never, so
 * that a message which nobody has received may come to another communicator, as in real MPIs. */
enum { MOST_IDS = 4096 };
static int last_id, free_ids[MOST_IDS], free_count;

static int id_new(void) {
    static int again = -1;
    if (again < 0)
        again = draw(2);
    if (again && free_count > 0 && !messages_wait(free_ids[free_count - 1]))
        return free_ids[--free_count];
    return last_id++;
}

static void context_leave(struct context *context) {
    bool last = ++context->freed == context->size[0] + context->size[1];
    if (last && free_count < MOST_IDS)
        free_ids[free_count++] = context->id;
}

struct context *context_new_inter(int size0, const int *members0, int size1, const int *members1) {
    struct context *context = NEW(1, struct context);
    const int sizes[] = {size0, size1}, *members[] = {members0, members1};
    context->id = id_new();
    context->inter = members1 != NULL;
    for (int side = 0; side < 2; side++) {
        context->size[side] = sizes[side];
        context->members[side] = allocate((size_t)sizes[side], sizeof(int));
        if (sizes[side] > 0)
            memcpy(context->members[side], members[side], (size_t)sizes[side] * sizeof(int));
    }
    return context;
}

struct context *context_new(int size, const int *members) {
    return context_new_inter(size, members, 0, NULL);
}

struct comm *comm_new(struct process *process, struct context *context, int side, int rank) {
    struct comm *comm = NEW(1, struct comm);
    comm->magic = COMM;
    comm->process = process;
    comm->context = context;
    comm->side = side;
    comm->rank = rank;
    comm->handler = MPI_ERRORS_ARE_FATAL;
    process->comms++;
    return comm;
}

/* Calls that are allowed before MPI_Init and after MPI_Finalize have no objects. */
void must_be_open(const char *call) {
    const struct process *process = self->process;
    if (!mpi_is_open(process))
        finish(BROKEN, 1, "rank %d: %s %s", process->rank, call,
               process->finalized ? "after MPI_Finalize" : "before MPI_Init");
}

struct comm *comm_of(MPI_Comm handle, const char *call) {
    struct comm *comm = (struct comm *)(void *)handle;
    must_be_open(call);
    if (handle == MPI_COMM_WORLD)
        return self->process->world;
    if (handle == MPI_COMM_SELF)
        return self->process->self;
    if (handle == MPI_COMM_NULL || !comm || comm->magic != COMM) {
        if (handle != MPI_COMM_NULL && comm)
            note_event("rank %d: %s on what is no communicator", self->process->rank, call);
        return NULL;
    }
    if (comm->process != self->process)
        finish(BROKEN, 1, "rank %d: %s on a communicator of rank %d", self->process->rank, call,
               comm->process->rank);
    if (comm->freed)
        finish(BROKEN, 1, "rank %d: %s on a communicator that was freed", self->process->rank,
               call);
    return comm;
}

MPI_Comm comm_handle(struct comm *comm) {
    if (comm == comm->process->world)
        return MPI_COMM_WORLD;
    return comm == comm->process->self ? MPI_COMM_SELF : (MPI_Comm)(void *)comm;
}

int comm_peers(const struct comm *comm) {
    return comm->context->size[comm->context->inter ? !comm->side : 0];
}

int comm_process(const struct comm *comm, int peer) {
    return comm->context->members[comm->context->inter ? !comm->side : 0][peer];
}

int world_Comm_rank(MPI_Comm handle, int *rank) {
    COMM_OR_ERROR(comm, handle);
    *rank = comm->rank;
    return MPI_SUCCESS;
}

int world_Comm_size(MPI_Comm handle, int *size) {
    COMM_OR_ERROR(comm, handle);
    *size = comm->context->size[comm->side];
    return MPI_SUCCESS;
}

int world_Comm_remote_size(MPI_Comm handle, int *size) {
    COMM_OR_ERROR(comm, handle);
    if (!comm->context->inter)
        return comm_error(comm, MPI_ERR_COMM);
    *size = comm->context->size[!comm->side];
    return MPI_SUCCESS;
}

int world_Comm_test_inter(MPI_Comm handle, int *flag) {
    COMM_OR_ERROR(comm, handle);
    *flag = comm->context->inter;
    return MPI_SUCCESS;
}

int world_Comm_group(MPI_Comm handle, MPI_Group *group) {
    COMM_OR_ERROR(comm, handle);
    *group = group_of_members(comm->context->size[comm->side], comm->context->members[comm->side]);
    return MPI_SUCCESS;
}

int world_Comm_remote_group(MPI_Comm handle, MPI_Group *group) {
    COMM_OR_ERROR(comm, handle);
    if (!comm->context->inter)
        return comm_error(comm, MPI_ERR_COMM);
    *group =
        group_of_members(comm->context->size[!comm->side], comm->context->members[!comm->side]);
    return MPI_SUCCESS;
}

int world_Comm_compare(MPI_Comm a, MPI_Comm b, int *result) {
    COMM_OR_ERROR(one, a);
    COMM_OR_ERROR(other, b);
    if (one == other) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    *result = one->context->inter == other->context->inter ? MPI_CONGRUENT : MPI_UNEQUAL;
    for (int side = 0; side < 2 && *result != MPI_UNEQUAL; side++) {
        MPI_Group mine = group_of_members(one->context->size[side], one->context->members[side]);
        MPI_Group theirs =
            group_of_members(other->context->size[side], other->context->members[side]);
        int same;
        world_Group_compare(mine, theirs, &same);
        if (same == MPI_UNEQUAL || (same == MPI_SIMILAR && *result == MPI_CONGRUENT))
            *result = same;
        world_Group_free(&mine);
        world_Group_free(&theirs);
    }
    return MPI_SUCCESS;
}

int world_Comm_free(MPI_Comm *handle) {
    COMM_OR_ERROR(comm, *handle);
    if (*handle == MPI_COMM_WORLD || *handle == MPI_COMM_SELF)
        return comm_error(comm, MPI_ERR_COMM);
    choose("MPI_Comm_free");
    int code = comm_delete_attributes(comm);
    if (code)
        return comm_error(comm, code);
    comm->freed = true;
    comm->process->comms--;
    context_leave(comm->context);
    happened();
    *handle = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int world_Comm_disconnect(MPI_Comm *handle) {
    return world_Comm_free(handle);
}

int world_Comm_set_name(MPI_Comm handle, const char *name) {
    COMM_OR_ERROR(comm, handle);
    snprintf(comm->name, sizeof comm->name, "%s", name);
    return MPI_SUCCESS;
}

int world_Comm_get_name(MPI_Comm handle, char *name, int *length) {
    COMM_OR_ERROR(comm, handle);
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", comm->name);
    return MPI_SUCCESS;
}

int world_Comm_set_info(MPI_Comm handle, MPI_Info info) {
    COMM_OR_ERROR(comm, handle);
    (void)comm, (void)info;
    return MPI_SUCCESS;
}

int world_Comm_get_parent(MPI_Comm *parent) {
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* ---- error handlers ---- */
int world_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
    MPI_Comm_errhandler_function **box = (MPI_Comm_errhandler_function **)allocate(1, sizeof *box);
    *box = function;
    *made = (MPI_Errhandler)(void *)box;
    return MPI_SUCCESS;
}

int world_Errhandler_free(MPI_Errhandler *handler) {
    *handler = MPI_ERRHANDLER_NULL; /* communicators may have it still */
    return MPI_SUCCESS;
}

int world_Comm_set_errhandler(MPI_Comm handle, MPI_Errhandler handler) {
    COMM_OR_ERROR(comm, handle);
    comm->handler = handler;
    return MPI_SUCCESS;
}

int world_Comm_get_errhandler(MPI_Comm handle, MPI_Errhandler *handler) {
    COMM_OR_ERROR(comm, handle);
    *handler = comm->handler;
    return MPI_SUCCESS;
}

/* Errors without a communicator go to the handler of MPI_COMM_WORLD. */
int comm_error(struct comm *comm, int code) {
    if (code == MPI_SUCCESS)
        return code;
    if (!comm)
        comm = self->process->world;
    note_event("rank %d: error %d from %s", self->process->rank, code, self->call.name);
    result->errors++;
    if (comm->handler == MPI_ERRORS_RETURN)
        return code;
    if (comm->handler == MPI_ERRORS_ARE_FATAL || comm->handler == MPI_ERRORS_ABORT) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        PMPI_Error_string(code, text, &length);
        finish(ABORTED, code, "rank %d: fatal error %d (%s), last call %s", self->process->rank,
               code, text, self->call.name);
    }
    MPI_Comm handle = comm_handle(comm);
    (*(MPI_Comm_errhandler_function **)(void *)comm->handler)(&handle, &code);
    return code;
}

int world_Comm_call_errhandler(MPI_Comm handle, int code) {
    COMM_OR_ERROR(comm, handle);
    comm_error(comm, code);
    return MPI_SUCCESS;
}
