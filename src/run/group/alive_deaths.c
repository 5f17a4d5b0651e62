/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "run/failure.h"
#include "run/group/alive_room.h"

#include <stdlib.h>

static const double BETWEEN_LOOKS = 2e-4; /* seconds */

static void learn(struct caucus_alive_room *room, const int *ranks, int count) {
    for (int i = 0; i < count; i++)
        if (ranks[i] != MPI_UNDEFINED && !room->dead[ranks[i]]) {
            room->dead[ranks[i]] = 1;
            room->deaths++;
            caucus_alive_tell_death(room, ranks[i]);
        }
}

int caucus_alive_look_for_deaths(struct caucus_alive_room *room) {
    MPI_Comm comm = room->hub->attachment->comm;
    int count, size = room->hub->attachment->size;
    double now = PMPI_Wtime();
    if (!room->detects || now - room->looked < BETWEEN_LOOKS)
        return CAUCUS_OK;
    room->looked = now;
    int status = caucus_failure_ranks(comm, NULL, 0, &count);
    if (status || count == room->deaths)
        return status;
    int *ranks = caucus_array(size, sizeof *ranks);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    status = caucus_failure_ranks(comm, ranks, size, &count);
    if (!status)
        learn(room, ranks, count);
    free(ranks);
    return status;
}
