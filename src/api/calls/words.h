/* SPDX-License-Identifier: BSD-3-Clause */
/* The words that CAUCUS_ENABLE and CAUCUS_DISABLE understand. */
#ifndef CAUCUS_API_CALLS_WORDS_H
#define CAUCUS_API_CALLS_WORDS_H

/* Rank 0 of MPI_COMM_WORLD says on standard error which of the words given mean nothing, and which
 * ones there are. Local. */
void caucus_calls_warn_words(void);

#endif
