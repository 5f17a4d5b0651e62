/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is made by its members alone. */
#ifndef CAUCUS_RUN_CREATION_CREATION_H
#define CAUCUS_RUN_CREATION_CREATION_H

#include "run/creation/room.h"

/* One member's call, of which the members have met (run/group/rendezvous.h). */
struct caucus_creation_call {
    const struct caucus_attachment *attachment; /* has a room */
    MPI_Group group;      /* in the order of the new ranks; this process is one of them */
    int members, me;      /* me: the rank in the group */
    const int32_t *ranks; /* of the attachment, by rank in the group */
    int tag;              /* for MPI; no other creation has it */
};

struct caucus_creation_algorithm {
    const char *name, *text; /* text: what it does, and its cost */
    /* Collective over the group alone, whose members have met. What is made returns errors. NULL
     * where this MPI lacks what it needs. By several threads at a time only the table's first:
     * MPIs hang in the others. */
    int (*make)(const struct caucus_creation_call *call, MPI_Comm *made);
};

/* The table's entry; NULL beyond its end, or if there is none of that name. The first one is the
 * usual. */
const struct caucus_creation_algorithm *caucus_creation_algorithm(int index);
const struct caucus_creation_algorithm *caucus_creation_algorithm_named(const char *name);

int caucus_creation_recursive_merge(const struct caucus_creation_call *call, MPI_Comm *made);

#endif
