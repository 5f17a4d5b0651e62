/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/alone.h"

#include "base/status.h"
#include "run/mpi_status.h"

int caucus_alone_begin(struct caucus_alone *alone, MPI_Comm comm) {
    *alone = (struct caucus_alone){.comm = MPI_COMM_NULL};
    return caucus_mpi_status(PMPI_Comm_idup(comm, &alone->comm, &alone->request), "MPI_Comm_idup");
}

static int make(struct caucus_alone *alone) {
    PMPI_Comm_set_errhandler(alone->comm, MPI_ERRORS_RETURN);
    int status = caucus_attach_alone(alone->comm, &alone->attachment);
    if (status) {
        PMPI_Comm_free(&alone->comm);
        return status;
    }
    struct caucus_engine *engine;
    status = caucus_engine_alone(alone->attachment, &engine);
    for (int i = 0; i < CAUCUS_ALONE_ARENAS && !status; i++)
        status = caucus_arena_alone(engine, i, &alone->arena[i]);
    if (!status)
        alone->engine = engine;
    return status;
}

int caucus_alone_advance(struct caucus_alone *alone, bool *ready) {
    int complete = 0;
    *ready = false;
    int status =
        caucus_mpi_status(PMPI_Test(&alone->request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (status || !complete)
        return status;
    status = make(alone);
    *ready = !status;
    return status;
}

void caucus_alone_free(struct caucus_alone *alone) {
    for (int i = 0; i < CAUCUS_ALONE_ARENAS; i++)
        if (alone->arena[i])
            caucus_arena_free(alone->attachment->engine, alone->arena[i]);
    if (alone->attachment)
        caucus_attachment_let_go(alone->attachment);
}
