/* SPDX-License-Identifier: BSD-3-Clause */
/* How every public function begins that is collective over a communicator. */
#ifndef CAUCUS_API_PREPARE_H
#define CAUCUS_API_PREPARE_H

#include "run/attach.h"

/* Checks comm and attaches it. On failure the error is raised, and its code returned. */
int caucus_prepare(MPI_Comm comm, const char *function, struct caucus_attachment **attachment);

/* The same where comm may have two groups. */
int caucus_prepare_any(MPI_Comm comm, const char *function, struct caucus_attachment **attachment);

#endif
