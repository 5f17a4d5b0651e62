/* SPDX-License-Identifier: BSD-3-Clause */
/* Where CAUCUS_NODES put this process, kept with the communicators that Caucus makes: their ranks
 * may be numbered differently, but the process has not moved. */
#ifndef CAUCUS_RUN_ATTACHMENT_ORIGIN_H
#define CAUCUS_RUN_ATTACHMENT_ORIGIN_H

#include "plan/machine/machine.h"

#include <mpi.h>

struct caucus_origin {
    int32_t label[CAUCUS_LEVELS];
};

/* Keeps it, which was allocated and is taken over, with comm; copies of it with its duplicates. */
int caucus_origin_keep(MPI_Comm comm, struct caucus_origin *origin);

/* NULL where none is kept. */
const struct caucus_origin *caucus_origin_of(MPI_Comm comm);

#endif
