/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/comm.h>

#include "api/collective/team.h"
#include "api/prepare.h"
#include "api/raise.h"
#include "run/creation/room.h"

int caucus_comm_attach(MPI_Comm comm) {
    struct caucus_attachment *attachment;
    struct caucus_team *team;
    int code = caucus_prepare_any(comm, __func__, &attachment);
    if (code)
        return code;
    int status = caucus_team_get(comm, &team);
    if (!status && !team->between)
        status = caucus_creation_room_make(team->attachment);
    return status ? caucus_raise(comm, attachment, __func__, status) : MPI_SUCCESS;
}
