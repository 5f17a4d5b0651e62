/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/create_group.h>

#include "api/creation/create.h"

#include <stddef.h>

int caucus_comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
    const struct caucus_creation_request request = {
        .function = __func__, .comm = comm, .group = group, .tag = tag, .made = newcomm};
    struct caucus_attachment *over = comm == MPI_COMM_NULL ? NULL : caucus_attached(comm);
    return caucus_creation_create(&request, over, NULL);
}
