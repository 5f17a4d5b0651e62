/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/opening.h"

#include "api/prepare.h"
#include "api/raise.h"

int caucus_opening_team(MPI_Comm comm, const char *function, struct caucus_team **team) {
    struct caucus_attachment *attachment;
    int code = caucus_prepare(comm, function, &attachment);
    if (code)
        return code;
    int status = caucus_team_get(comm, team);
    return status ? caucus_raise(comm, attachment, function, status) : MPI_SUCCESS;
}
