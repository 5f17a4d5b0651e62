/* SPDX-License-Identifier: BSD-3-Clause */

#include "api/common/raise.h"
#include "base/status.h"
#include "run/engine/roll_call.h"
#include "run/peers/peers.h"

#include <stddef.h>

static int prepare(MPI_Comm comm, const char *function, int status,
                   struct caucus_attachment **attachment) {
    if (!status)
        status = caucus_roll_call_on(comm);
    if (!status)
        status = caucus_attach(comm, attachment);
    if (status)
        return caucus_raise(comm, NULL, function, status);
    return MPI_SUCCESS;
}

int caucus_prepare(MPI_Comm comm, const char *function, struct caucus_attachment **attachment) {
    return prepare(comm, function, caucus_check_comm(comm), attachment);
}

int caucus_prepare_any(MPI_Comm comm, const char *function, struct caucus_attachment **attachment) {
    return prepare(comm, function, caucus_check_any_comm(comm), attachment);
}
