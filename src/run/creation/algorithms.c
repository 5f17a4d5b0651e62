/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/creation.h"

#include "run/support/mpi_status.h"

#include <stdio.h>
#include <string.h>

static int make_native(const struct caucus_creation_call *call, MPI_Comm *made) {
    return caucus_mpi_status(
        PMPI_Comm_create_group(call->attachment->creation->comm, call->group, call->tag, made),
        "MPI_Comm_create_group");
}

#ifdef CAUCUS_HAVE_COMM_FROM_GROUP
/* The words keep apart what threads make at the same time. */
static int make_parentless(const struct caucus_creation_call *call, MPI_Comm *made) {
    char words[64];
    snprintf(words, sizeof words, "caucus.create_group.%d", call->tag);
    return caucus_mpi_status(
        PMPI_Comm_create_from_group(call->group, words, MPI_INFO_NULL, MPI_ERRORS_RETURN, made),
        "MPI_Comm_create_from_group");
}
#endif

static const struct caucus_creation_algorithm table[] = {
    {"native", "MPI_Comm_create_group on a private duplicate of the communicator; MPI's own cost",
     make_native},
    {"recursive_merge",
     "pairs of groups make an intercommunicator and merge it, from groups of one on (Dinan et al., "
     "EuroMPI 2011, Algorithm 1); O(log^2 n) for n members",
     caucus_creation_recursive_merge},
    {"parentless",
     "MPI_Comm_create_from_group, which needs no communicator (MPI-4), not even one without dead "
     "ranks; MPI's own cost",
#ifdef CAUCUS_HAVE_COMM_FROM_GROUP
     make_parentless
#else
     NULL
#endif
    },
};

const struct caucus_creation_algorithm *caucus_creation_algorithm(int index) {
    const int count = sizeof table / sizeof *table;
    return index >= 0 && index < count ? &table[index] : NULL;
}

const struct caucus_creation_algorithm *caucus_creation_algorithm_named(const char *name) {
    const struct caucus_creation_algorithm *entry;
    for (int index = 0; (entry = caucus_creation_algorithm(index)); index++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}
