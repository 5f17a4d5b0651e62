/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/alone.h"

#include "base/status.h"
#include "run/group/group.h"
#include "run/mpi_status.h"

int caucus_alone_begin(struct caucus_alone *alone, MPI_Comm comm) {
    *alone = (struct caucus_alone){.comm = MPI_COMM_NULL};
    return caucus_mpi_status(PMPI_Comm_idup(comm, &alone->comm, &alone->request), "MPI_Comm_idup");
}

void caucus_alone_begin_group(struct caucus_alone *alone, struct caucus_light_group *group) {
    *alone =
        (struct caucus_alone){.group = group, .comm = MPI_COMM_NULL, .request = MPI_REQUEST_NULL};
}

static int attach(struct caucus_alone *alone) {
    if (alone->group)
        return caucus_group_attach(alone->group, &alone->attachment);
    PMPI_Comm_set_errhandler(alone->comm, MPI_ERRORS_RETURN);
    int status = caucus_attach_alone(alone->comm, &alone->attachment);
    if (status)
        PMPI_Comm_free(&alone->comm);
    return status;
}

static int make(struct caucus_alone *alone) {
    struct caucus_tags tags = {0};
    struct caucus_engine *engine;
    int status = attach(alone);
    if (status)
        return status;
    if (alone->group)
        tags = caucus_group_tags_alone(alone->group);
    status = caucus_engine_alone(alone->attachment, tags, &engine);
    for (int i = 0; i < CAUCUS_ALONE_ARENAS && !status; i++)
        status = caucus_arena_alone(engine, i, &alone->arena[i]);
    if (!status)
        alone->engine = engine;
    return status;
}

static int test(struct caucus_alone *alone, bool *ready) {
    int complete = 0;
    if (alone->group)
        return caucus_group_advance(alone->group, ready);
    int status =
        caucus_mpi_status(PMPI_Test(&alone->request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    *ready = complete;
    return status;
}

int caucus_alone_advance(struct caucus_alone *alone, bool *ready) {
    *ready = false;
    int status = test(alone, ready);
    if (status || !*ready)
        return status;
    status = make(alone);
    *ready = !status;
    return status;
}

/* A communicator must not go while it is being duplicated. */
static void abandon(struct caucus_alone *alone) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (!finalized && PMPI_Wait(&alone->request, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        PMPI_Comm_free(&alone->comm);
}

void caucus_alone_free(struct caucus_alone *alone) {
    if (alone->request != MPI_REQUEST_NULL)
        abandon(alone);
    for (int i = 0; i < CAUCUS_ALONE_ARENAS; i++)
        if (alone->arena[i])
            caucus_arena_free(alone->attachment->engine, alone->arena[i]);
    if (alone->attachment)
        caucus_attachment_let_go(alone->attachment);
}
