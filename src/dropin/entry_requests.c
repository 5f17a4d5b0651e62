/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: everything that takes requests. Where no request is ours, MPI is called at
 * once. As in entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"

#define ENTRY(name, ours, parameters, given, ...)                                                  \
    int PMPI_##name parameters;                                                                    \
    int MPI_##name parameters {                                                                    \
        return caucus_forward_has_requests() ? caucus_forward_##ours given : PMPI_##name given;    \
    }

CAUCUS_FORWARD_REQUESTS(ENTRY)
