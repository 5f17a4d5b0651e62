/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking calls that the drop-in has taken over, but that MPI carries out faster: they return
 * CAUCUS_CALL_REFUSED (api/calls/left.h), and MPI's own is called in their place. Whether a call
 * may be left is not for this room to know: others may need progress here meanwhile. */
#ifndef CAUCUS_API_COLLECTIVE_LEAVE_H
#define CAUCUS_API_COLLECTIVE_LEAVE_H

#include <stdbool.h>

/* Whether the next blocking call or persistent init of this thread may be left to MPI: all ranks
 * say the same. */
void caucus_leave_allow(bool allowed);
bool caucus_leave_is_allowed(void);

/* There are calls at all that may be. */
void caucus_leave_offer(void);
bool caucus_leave_is_offered(void);

#endif
