/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning and the end of MPI in a rank, and what is asked of it as a whole. */
#include "collectives.h"

#include <stdio.h>
#include <string.h>

void world_begin_process(struct process *process) {
    int all[MOST_PROCESSES];
    static struct context *world;
    for (int r = 0; r < settings.ranks; r++)
        all[r] = r;
    if (process->rank == 0)
        world = context_new(settings.ranks, all);
    process->world = comm_new(process, world, 0, process->rank);
    process->self = comm_new(process, context_new(1, &process->rank), 0, 0);
    process->comms = 0;
}

bool mpi_is_open(const struct process *process) {
    return (process->initialized && !process->finalized) || process->sessions > 0;
}

/* Where a program has not asked for more, MPI may be called by one thread, or by one at a time. */
static void check_thread(const char *call) {
    const struct process *process = self->process;
    if (process->thread_level == MPI_THREAD_MULTIPLE || !process->initialized)
        return;
    if (process->thread_level < MPI_THREAD_SERIALIZED && self != process->main_thread)
        finish(BROKEN, 1, "rank %d: %s by a thread that may not call MPI", process->rank, call);
    for (const struct fiber *fiber = fibers; fiber; fiber = fiber->next)
        if (fiber->process == process && fiber->inside && !fiber->over && fiber != self)
            finish(BROKEN, 1, "rank %d: %s while another thread is in %s", process->rank, call,
                   fiber->call.name);
}

bool mpi_enter(const char *call) {
    if (strncmp(call, "MPI", 3) != 0)
        return false;
    if (strcmp(call, "MPI_Init") != 0)
        must_be_open(call);
    if (self->process->live_fibers > 1)
        check_thread(call);
    calls_go_on(self->process);
    return true;
}

int world_Init_thread(int *argc, char ***argv, int wanted, int *provided) {
    (void)argc, (void)argv;
    choose("MPI_Init");
    if (self->process->initialized)
        finish(BROKEN, 1, "rank %d: MPI_Init twice", self->process->rank);
    self->process->initialized = true;
    self->process->thread_level = wanted;
    self->process->main_thread = self;
    if (provided)
        *provided = wanted;
    happened();
    return MPI_SUCCESS;
}

int world_Init(int *argc, char ***argv) {
    return world_Init_thread(argc, argv, MPI_THREAD_SINGLE, NULL);
}

int world_Initialized(int *flag) {
    *flag = self->process->initialized;
    return MPI_SUCCESS;
}

int world_Finalized(int *flag) {
    *flag = self->process->finalized;
    return MPI_SUCCESS;
}

int world_Query_thread(int *level) {
    *level = self->process->thread_level;
    return MPI_SUCCESS;
}

int world_Is_thread_main(int *flag) {
    *flag = self == self->process->main_thread;
    return MPI_SUCCESS;
}

int world_Finalize(void) {
    struct process *process = self->process;
    choose("MPI_Finalize");
    comm_delete_attributes(process->self);
    comm_delete_attributes(process->world);
    if (!comm_has_dead(process->world)) {
        struct call_data *call = call_new("MPI_Finalize", BARRIER, process->world);
        call->key = process->world->sequence++;
        process->world->handler = MPI_ERRORS_RETURN; /* deaths do not matter any more */
        call_run(call);
    }
    process->finalized = true;
    happened();
    return MPI_SUCCESS;
}

int world_Get_processor_name(char *name, int *length) {
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", self->process->node);
    return MPI_SUCCESS;
}

/* Datatypes and operations outlive their handles: what is under way may need them. */
int world_Type_free(MPI_Datatype *type) {
    must_be_open("MPI_Type_free");
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int world_Op_free(MPI_Op *op) {
    must_be_open("MPI_Op_free");
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

/* ---- sessions ---- */
int world_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
    (void)info, (void)handler;
    self->process->sessions++;
    *session = (MPI_Session)(void *)self->process;
    return MPI_SUCCESS;
}

int world_Session_get_info(MPI_Session session, MPI_Info *info) {
    (void)session;
    PMPI_Info_create(info);
    return PMPI_Info_set(*info, "thread_level", "MPI_THREAD_MULTIPLE");
}

int world_Session_finalize(MPI_Session *session) {
    *session = MPI_SESSION_NULL;
    self->process->sessions--;
    return MPI_SUCCESS;
}

int world_Group_from_session_pset(MPI_Session session, const char *name, MPI_Group *made) {
    (void)session;
    struct group *group = group_new(strcmp(name, "mpi://SELF") == 0 ? 1 : settings.ranks);
    for (int r = 0; r < group->size; r++)
        group->members[r] = group->size == 1 ? self->process->rank : r;
    *made = (MPI_Group)(void *)group;
    return MPI_SUCCESS;
}

/* ---- packing: the real MPI's, on a communicator that it knows ---- */
int world_Pack(const void *from, int count, MPI_Datatype type, void *to, int size, int *place,
               MPI_Comm comm) {
    (void)comm;
    return comm_error(comm_of(comm, "MPI_Pack"),
                      PMPI_Pack(from, count, type, to, size, place, MPI_COMM_SELF));
}

int world_Unpack(const void *from, int size, int *place, void *to, int count, MPI_Datatype type,
                 MPI_Comm comm) {
    return comm_error(comm_of(comm, "MPI_Unpack"),
                      PMPI_Unpack(from, size, place, to, count, type, MPI_COMM_SELF));
}

int world_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size) {
    return comm_error(comm_of(comm, "MPI_Pack_size"),
                      PMPI_Pack_size(count, type, MPI_COMM_SELF, size));
}
