/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine that is made without waiting for other ranks: it knows no nodes and shares no memory,
 * and its few arenas are made with it. Between two groups every rank's own is the first one, and
 * messages cross only: a rank's schedule must be the same whichever group is called the first. */
#ifndef CAUCUS_RUN_ALONE_H
#define CAUCUS_RUN_ALONE_H

#include "run/arena.h"

enum { CAUCUS_ALONE_ARENAS = 8 };

struct caucus_light_group;

struct caucus_alone {
    struct caucus_light_group *group; /* of one; or NULL: */
    MPI_Comm comm;                    /* being made by request */
    MPI_Request request;
    struct caucus_attachment *attachment;
    struct caucus_engine *engine; /* NULL until it is ready */
    struct caucus_arena *arena[CAUCUS_ALONE_ARENAS];
};

/* Begins to duplicate comm. A collective call of MPI's that does not wait. */
int caucus_alone_begin(struct caucus_alone *alone, MPI_Comm comm);

/* For a group, which must outlive it. Local. */
void caucus_alone_begin_group(struct caucus_alone *alone, struct caucus_light_group *group);

/* Goes on without waiting; *ready: the engine and its arenas are there. Local. */
int caucus_alone_advance(struct caucus_alone *alone, bool *ready);

/* Before it is ready, too: waits for MPI to have made the duplicate then. */
void caucus_alone_free(struct caucus_alone *alone);

#endif
