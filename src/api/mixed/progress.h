/* SPDX-License-Identifier: BSD-3-Clause */
/* Both kinds of communication move on while this process waits. */
#ifndef CAUCUS_API_MIXED_PROGRESS_H
#define CAUCUS_API_MIXED_PROGRESS_H

#include <stdbool.h>

/* Moves all that is active of ours on, and tells whether any still is: then a wait for something
 * native must go on doing so, else MPI may block. */
bool caucus_mixed_progress(void);

/* Between two looks: others may need the processor to make what is waited for. */
void caucus_mixed_pause(int *looks);

#endif
