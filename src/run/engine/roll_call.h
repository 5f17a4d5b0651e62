/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for all ranks that end with CAUCUS_TIMEOUT, before what may wait within MPI without a
 * limit: after them nobody is waited for who has not come. */
#ifndef CAUCUS_RUN_ENGINE_ROLL_CALL_H
#define CAUCUS_RUN_ENGINE_ROLL_CALL_H

#include "run/attachment/attach.h"

/* Collective over the attachment; at once where seconds are 0. CAUCUS_TIMED_OUT, with the ranks
 * that have not come, after so many seconds: then and from then on, also on those who come later.
 * Cost: two messages each way between rank 0 and every other one. seconds are the same
 * on all ranks, and less than one counts as one. It has an engine or is a group's. */
int caucus_roll_call(struct caucus_attachment *attachment, double seconds);

/* The same over a communicator on which nothing of ours may be sent, for as long as the
 * setting of each rank says: who is missing is not known then. */
int caucus_roll_call_on(MPI_Comm comm);

#endif
