/* SPDX-License-Identifier: BSD-3-Clause */
/* What a member waits for, told to people: sentences about ranks, one behind the other, cut short
 * where there is no more room. Who reads them by program finds ranks as "rank 3" and "ranks 3, 4
 * and 7". */
#ifndef CAUCUS_PLAN_PROTOCOL_SENTENCES_H
#define CAUCUS_PLAN_PROTOCOL_SENTENCES_H

#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_SENTENCE_RANKS = 8 };

struct caucus_sentences {
    char *text;
    int64_t size, used, ranks[CAUCUS_SENTENCE_RANKS];
    int named;
};

/* text is empty until something is told. */
struct caucus_sentences caucus_sentences_in(char *text, int64_t size);

/* A sentence of any form. */
__attribute__((format(printf, 2, 3))) void caucus_sentences_tell(struct caucus_sentences *sentences,
                                                                 const char *format, ...);

/* One more of those that the next sentence is about. */
void caucus_sentences_name(struct caucus_sentences *sentences, int64_t rank);

/* "ranks 3, 4 and 7 have ..."; nothing if nobody is named. Whether somebody is. */
__attribute__((format(printf, 2, 3))) bool caucus_sentences_have(struct caucus_sentences *sentences,
                                                                 const char *format, ...);

/* The same of one rank. */
void caucus_sentences_has(struct caucus_sentences *sentences, int64_t rank, const char *what);

#endif
