/* SPDX-License-Identifier: BSD-3-Clause */
/* For what tools/generate_dropin.py makes. */
#ifndef CAUCUS_DROPIN_FORWARD_CALLS_H
#define CAUCUS_DROPIN_FORWARD_CALLS_H

#include "api/calls/calls.h"

/* Which way the call goes: CAUCUS_FORWARD_OURS and the others. */
int caucus_forward_enter(enum caucus_call call, MPI_Comm comm);

/* All ranks of comm come together; ours move on meanwhile. */
void caucus_forward_assemble(MPI_Comm comm);

#endif
