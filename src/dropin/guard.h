/* SPDX-License-Identifier: BSD-3-Clause */
/* Never take over what cannot be taken over whole: whether the drop-in serves this process at all,
 * and which calls it must leave to MPI as others can get around it. */
#ifndef CAUCUS_DROPIN_GUARD_H
#define CAUCUS_DROPIN_GUARD_H

#include <stdbool.h>

/* Whether every call is left to MPI: it is another one than this was built for, or MPI_Init did not
 * come through the drop-in, which is said once. Any thread; cheap. */
bool caucus_guard_leaves(void);

/* Before PMPI_Init; and after it succeeded, when it looks for others and tells whether to serve;
 * and after PMPI_Finalize, during which callbacks of the program's are served still: a session that
 * comes later has no MPI_COMM_WORLD. */
void caucus_guard_begin(void);
bool caucus_guard_serve(void);
void caucus_guard_end(void);

/* Whether MPI_Init was called, by whomever; and after a session was made, with what was so before:
 * then it may be the session that has MPI say so. */
bool caucus_guard_is_initialized(void);
void caucus_guard_session(bool before);

/* Before a persistent init, where all ranks could still be told: looks at what was loaded since
 * MPI_Init. */
void caucus_guard_look_again(void);

#endif
