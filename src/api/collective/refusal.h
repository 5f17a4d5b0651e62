/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent calls that one process cannot have: all ranks of such a call learn it where they agree
 * on everything else, and none has it. */
#ifndef CAUCUS_API_COLLECTIVE_REFUSAL_H
#define CAUCUS_API_COLLECTIVE_REFUSAL_H

/* What such a call returns, on all ranks, with no error raised: no code of MPI's. */
enum { CAUCUS_CALL_REFUSED = -1 };

/* From now on this process refuses. */
void caucus_refuse_persistent(void);

/* CAUCUS_REFUSED if it does, else CAUCUS_OK. */
int caucus_refusal(void);

#endif
