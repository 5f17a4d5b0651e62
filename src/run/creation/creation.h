/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is made by its members alone. */
#ifndef CAUCUS_RUN_CREATION_CREATION_H
#define CAUCUS_RUN_CREATION_CREATION_H

#include "plan/protocol/creation.h"
#include "run/creation/room.h"

/* One member's call. */
struct caucus_creation_call {
    const char *name;                           /* for who wonders what this member waits in */
    const struct caucus_attachment *attachment; /* has a room */
    MPI_Group group;      /* in the order of the new ranks; this process is one of them */
    int members, me;      /* me: the rank in the group */
    const int32_t *ranks; /* of the attachment, by rank in the group */
    uint64_t topic;       /* stands for the user's tag, and for his communicator if members create
                             over several by one attachment */
    int tag;              /* for MPI, once the members have met; no other creation has it */
    bool without_parent;  /* a wish of this member, and once they have met, of any */
};

/* How it went: a code, and the rank of the attachment that is to be named; -1. */
struct caucus_creation_outcome {
    enum caucus_creation_code code;
    int32_t rank;
};

/* The members meet, by messages of their own: all come, with the same list and the same hash, and
 * get a tag; or those that come learn why not. Meanwhile all active executions of this process move
 * on, and so does also, if not NULL, as in run/together.h. Waits for CAUCUS_TIMEOUT at most, if it
 * is set. A status that is no success is a failure here alone. */
int caucus_creation_meet(struct caucus_creation_call *call, uint64_t hash, bool (*also)(void),
                         struct caucus_creation_outcome *outcome);

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

int caucus_creation_native(const struct caucus_creation_call *call, MPI_Comm *made);
int caucus_creation_recursive_merge(const struct caucus_creation_call *call, MPI_Comm *made);
int caucus_creation_parentless(const struct caucus_creation_call *call, MPI_Comm *made);

#endif
