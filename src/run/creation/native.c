/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/creation.h"

#include "run/mpi_status.h"

int caucus_creation_native(const struct caucus_creation_call *call, MPI_Comm *made) {
    return caucus_mpi_status(
        PMPI_Comm_create_group(call->attachment->creation->comm, call->group, call->tag, made),
        "MPI_Comm_create_group");
}
