/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/room.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/engine/engine.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"
#include "run/support/private.h"

#include <stdlib.h>

/* Each rank has as many as there are for all, at least one. The upper half is for rendezvous of
 * groups (run/group/rendezvous.h). */
static int count_tags(const struct caucus_attachment *attachment) {
    int64_t each = attachment->engine->tags / attachment->size;
    return each > 1 ? (int)each : 1;
}

int caucus_creation_room_tag(struct caucus_creation_room *room) {
    int rank;
    PMPI_Comm_rank(room->comm, &rank);
    return rank * room->tags + (int)(room->given++ % (unsigned)room->tags);
}

static int fill(struct caucus_creation_room *room, const struct caucus_attachment *attachment) {
    room->tags = count_tags(attachment);
    return caucus_mpi_status(PMPI_Comm_group(attachment->comm, &room->group), "MPI_Comm_group");
}

/* MPICH 4.0.2 takes the group for known in MPI_Comm_create_group, and crashes where nobody has
 * asked for it. */
static void ask_for_group(MPI_Comm comm) {
    MPI_Group group;
    if (PMPI_Comm_group(comm, &group) == MPI_SUCCESS)
        PMPI_Group_free(&group);
}

int caucus_creation_room_make(struct caucus_attachment *attachment) {
    int first_group;
    if (attachment->creation)
        return CAUCUS_OK;
    struct caucus_creation_room *room = caucus_array(1, sizeof *room);
    int status = room ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (room) {
        room->comm = MPI_COMM_NULL;
        room->group = MPI_GROUP_NULL;
        status = fill(room, attachment);
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status = caucus_private_make(attachment->comm, &room->comm, &first_group);
    if (status) {
        caucus_creation_room_free(room);
        return status;
    }
    ask_for_group(room->comm);
    attachment->free_creation = caucus_creation_room_free;
    attachment->creation = room;
    return CAUCUS_OK;
}

void caucus_creation_room_free(struct caucus_creation_room *room) {
    int finalized;
    if (!room)
        return;
    PMPI_Finalized(&finalized);
    if (!finalized) {
        if (room->group != MPI_GROUP_NULL)
            PMPI_Group_free(&room->group);
        caucus_private_free(&room->comm);
    }
    free(room);
}
