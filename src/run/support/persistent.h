/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SUPPORT_PERSISTENT_H
#define CAUCUS_RUN_SUPPORT_PERSISTENT_H

#include <mpi.h>

/* Starts a persistent request of MPI's own and waits for it: blocks within MPI. A code of MPI's. */
int caucus_persistent_run(MPI_Request *request);

#endif
