/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine of a group that is made without waiting for other members: it knows no nodes and shares
 * no memory, and its few arenas are made with it. */
#ifndef CAUCUS_RUN_GROUP_ALONE_H
#define CAUCUS_RUN_GROUP_ALONE_H

#include "run/engine/arena.h"

enum { CAUCUS_ALONE_ARENAS = 8 };

struct caucus_light_group;

/* All but the group is NULL to begin with. */
struct caucus_alone {
    struct caucus_light_group *group; /* outlives it */
    struct caucus_attachment *attachment;
    struct caucus_engine *engine; /* NULL until it is ready */
    struct caucus_arena *arena[CAUCUS_ALONE_ARENAS];
    int status; /* of a failure to make it, which lasts, */
    char *text; /* and its words */
};

/* Goes on without waiting; *ready: the engine and its arenas are there. Local, one thread at a
 * time.
 */
int caucus_alone_advance(struct caucus_alone *alone, bool *ready);

/* Before it is ready, too. */
void caucus_alone_free(struct caucus_alone *alone);

#endif
