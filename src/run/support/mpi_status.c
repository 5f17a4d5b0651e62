/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/mpi_status.h"

#include "base/status.h"
#include "run/support/failure.h"

#include <mpi.h>

int caucus_mpi_status(int code, const char *function) {
    if (code == MPI_SUCCESS)
        return CAUCUS_OK;
    char text[MPI_MAX_ERROR_STRING + 1] = "no words for it";
    int length;
    PMPI_Error_string(code, text, &length);
    int status = caucus_failure_is_pending(code) ? CAUCUS_PENDING
                 : caucus_failure_is(code)       ? CAUCUS_DEAD
                                                 : CAUCUS_INTERNAL;
    return caucus_fail(status, "%s failed: %s", function, text);
}
