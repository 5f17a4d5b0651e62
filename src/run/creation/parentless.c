/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/creation.h"

#ifdef CAUCUS_HAVE_COMM_FROM_GROUP
#include "run/mpi_status.h"

#include <stdio.h>

/* The words keep apart what threads make at the same time. */
int caucus_creation_parentless(const struct caucus_creation_call *call, MPI_Comm *made) {
    char words[64];
    snprintf(words, sizeof words, "caucus.create_group.%d", call->tag);
    return caucus_mpi_status(
        PMPI_Comm_create_from_group(call->group, words, MPI_INFO_NULL, MPI_ERRORS_RETURN, made),
        "MPI_Comm_create_from_group");
}
#endif
