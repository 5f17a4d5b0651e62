/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/persistent.h"

int caucus_persistent_run(MPI_Request *request) {
    int code = PMPI_Start(request);
    return code == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : code;
}
