/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine.h"
#include "run/failure.h"

#include <stddef.h>

static int position_of(const void *attachment, int rank) {
    const struct caucus_peers *peers = &((const struct caucus_attachment *)attachment)->peers;
    if (!peers->rank_of)
        return rank;
    for (int i = 0; i < peers->size; i++)
        if (peers->rank_of[i] == rank)
            return i;
    return -1;
}

int caucus_engine_dead(struct caucus_engine *engine) {
    MPI_Comm comm = engine->attachment->comm;
    int count, dead;
    if (!engine->detects || caucus_failure_ranks(comm, NULL, 0, &count))
        return -1;
    if (count != engine->deaths &&
        !caucus_failure_among(comm, position_of, engine->attachment, &dead)) {
        engine->deaths = count;
        engine->dead = dead;
    }
    return engine->deaths > 0 ? engine->dead : -1;
}
