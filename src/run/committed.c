/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/committed.h"

bool caucus_type_committed(MPI_Datatype type, MPI_Comm comm) {
    char nothing = 0;
    int position = 0;
    return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, comm) == MPI_SUCCESS;
}
