/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/from_any.h"

#include "base/status.h"
#include "run/mpi_status.h"

int caucus_from_any_take(struct caucus_from_any *from, bool *came, MPI_Status *status) {
    MPI_Message message;
    int here = 0;
    *came = false;
    if (from->request == MPI_REQUEST_NULL) {
        int code = PMPI_Improbe(MPI_ANY_SOURCE, from->tag, from->comm, &here, &message, status);
        if (code != MPI_SUCCESS || !here)
            return caucus_mpi_status(code, "MPI_Improbe");
        code = PMPI_Imrecv(from->bytes, from->most, MPI_BYTE, &message, &from->request);
        if (code != MPI_SUCCESS)
            return caucus_mpi_status(code, "MPI_Imrecv");
    }
    int code = PMPI_Test(&from->request, &here, status);
    *came = code == MPI_SUCCESS && here;
    return caucus_mpi_status(code, "MPI_Test");
}

bool caucus_from_any_rests(struct caucus_from_any *from) {
    int here = 1;
    if (from->request != MPI_REQUEST_NULL)
        PMPI_Test(&from->request, &here, MPI_STATUS_IGNORE);
    return here;
}
