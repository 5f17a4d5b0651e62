/* SPDX-License-Identifier: BSD-3-Clause */
/* How every public function ends that failed. */
#ifndef CAUCUS_API_COMMON_RAISE_H
#define CAUCUS_API_COMMON_RAISE_H

#include "run/attachment/attach.h"

/* MPI_SUCCESS for CAUCUS_OK, as by caucus_succeed. Else puts the function's name before the text,
 * calls comm's error handler and returns an error code of MPI. Where the handler aborts, the text
 * is written to standard error first: by every rank, or, if agreed is given, because all ranks of
 * it failed alike and come here, by one. */
int caucus_raise(MPI_Comm comm, const struct caucus_attachment *agreed, const char *function,
                 int status);

/* A call has succeeded after more than a look-up: what was tried in vain on the way is not told by
 * caucus_error_text(), which has the text of this thread's last error that was raised, or "". */
void caucus_succeed(void);

/* The text of now is that of an error, which MPI has raised. */
void caucus_keep_raised(void);

/* Whether a pointer of the user's is none. */
int caucus_check_pointer(const void *pointer, const char *name);

/* Fails once more with a text that strdup has kept of caucus_error_text() meanwhile, and frees it.
 */
int caucus_fail_again(int status, char *text);

/* MPI's error class for a status that is no success. */
int caucus_error_class(int status);

/* Whether comm is an intracommunicator; found without a message. */
int caucus_check_comm(MPI_Comm comm);

/* The same where it may have two groups. */
int caucus_check_any_comm(MPI_Comm comm);

/* Checks comm and attaches it. On failure the error is raised, and its code returned. */
int caucus_prepare(MPI_Comm comm, const char *function, struct caucus_attachment **attachment);

/* The same where comm may have two groups. */
int caucus_prepare_any(MPI_Comm comm, const char *function, struct caucus_attachment **attachment);

#endif
