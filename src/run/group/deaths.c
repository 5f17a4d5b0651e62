/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "run/failure.h"
#include "run/group/hub.h"

#include <stdlib.h>

static const double BETWEEN_LOOKS = 2e-4; /* seconds */

static void learn(struct caucus_hub_deaths *deaths, int rank) {
    for (int i = 0; i < deaths->count; i++)
        if (deaths->rank[i] == rank)
            return;
    deaths->rank[deaths->count++] = rank;
}

/* Room for all there can be is made with the first. */
static int learn_all(struct caucus_hub *hub, int room) {
    struct caucus_hub_deaths *deaths = &hub->deaths;
    int count, *ranks = caucus_array(room, sizeof *ranks);
    if (ranks && !deaths->rank)
        deaths->rank = caucus_array(hub->attachment->size, sizeof *deaths->rank);
    int status = ranks && deaths->rank
                     ? caucus_failure_ranks(hub->attachment->comm, ranks, room, &count)
                     : CAUCUS_NO_MEMORY;
    for (int i = 0; i < room && !status; i++)
        if (ranks[i] != MPI_UNDEFINED)
            learn(deaths, ranks[i]);
    free(ranks);
    return status;
}

int caucus_hub_look_for_deaths(struct caucus_hub *hub) {
    int count;
    double now = hub->deaths.told ? PMPI_Wtime() : 0;
    if (!hub->deaths.told || now - hub->deaths.looked < BETWEEN_LOOKS)
        return CAUCUS_OK;
    hub->deaths.looked = now;
    int status = caucus_failure_ranks(hub->attachment->comm, NULL, 0, &count);
    return status || count == hub->deaths.count ? status : learn_all(hub, count);
}
