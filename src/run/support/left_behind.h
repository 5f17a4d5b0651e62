/* SPDX-License-Identifier: BSD-3-Clause */
/* After a failure MPI may still use what it was given. */
#ifndef CAUCUS_RUN_SUPPORT_LEFT_BEHIND_H
#define CAUCUS_RUN_SUPPORT_LEFT_BEHIND_H

/* A block of malloc's stays, in a list, so that it is not taken for a leak. NULL does nothing. */
void caucus_leave_behind(void *block);

#endif
