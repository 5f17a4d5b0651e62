/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine.h"
#include "run/failure.h"

int caucus_engine_dead(struct caucus_engine *engine) {
    MPI_Comm comm = engine->attachment->comm;
    int count, dead;
    if (!engine->detects || caucus_failure_ranks(comm, NULL, 0, &count))
        return -1;
    if (count != engine->deaths && !caucus_peers_dead(&engine->attachment->peers, &dead)) {
        engine->deaths = count;
        engine->dead = dead;
    }
    return engine->deaths > 0 ? engine->dead : -1;
}

bool caucus_engine_has_dead(struct caucus_engine *engine) {
    caucus_engine_lock(engine);
    int dead = caucus_engine_dead(engine);
    caucus_engine_unlock(engine);
    return dead >= 0;
}
