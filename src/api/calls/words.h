/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of CAUCUS_DISABLE and CAUCUS_ENABLE: what the drop-in reads of them, since calls that
 * only some ranks take over never end. */
#ifndef CAUCUS_API_CALLS_WORDS_H
#define CAUCUS_API_CALLS_WORDS_H

#include "base/settings.h"

/* Whether the list has the word: this process's or, from caucus_words_hold on, the one given. */
bool caucus_words_have(enum caucus_setting_id list, const char *word);

/* This process's list, a bit for each word that it may have. */
int64_t caucus_words_own(enum caucus_setting_id list);

void caucus_words_hold(enum caucus_setting_id list, int64_t words);

/* Rank 0 of MPI_COMM_WORLD says on standard error which of the words given mean nothing, and which
 * ones there are. Local. */
void caucus_words_warn(void);

#endif
