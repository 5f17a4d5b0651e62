/* SPDX-License-Identifier: BSD-3-Clause */
/* How every public function ends that failed. */
#ifndef CAUCUS_API_RAISE_H
#define CAUCUS_API_RAISE_H

#include "run/attach.h"

/* Puts the function's name before the text, calls comm's error handler and returns an error code of
 * MPI. Where the handler aborts, the text is written to standard error first: by every rank, or, if
 * agreed is given, because all ranks of it failed alike and come here, by one. */
int caucus_raise(MPI_Comm comm, const struct caucus_attachment *agreed, const char *function,
                 int status);

/* MPI's error class for a status that is no success. */
int caucus_error_class(int status);

/* Whether comm is an intracommunicator; found without a message. */
int caucus_check_comm(MPI_Comm comm);

/* The same where it may have two groups. */
int caucus_check_any_comm(MPI_Comm comm);

#endif
