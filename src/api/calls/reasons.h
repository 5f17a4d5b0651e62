/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a call was left to MPI. */
#ifndef CAUCUS_API_CALLS_REASONS_H
#define CAUCUS_API_CALLS_REASONS_H

#include "api/calls/calls.h"

enum caucus_reason {
    CAUCUS_REASON_NOT_ENABLED,      /* a word of CAUCUS_ENABLE is missing */
    CAUCUS_REASON_DISABLED,         /* CAUCUS_DISABLE has the call's word */
    CAUCUS_REASON_DISABLED_BETWEEN, /* it has the word for intercommunicators */
    CAUCUS_REASON_ALL_DISABLED,     /* it has the word for all calls */
    CAUCUS_REASON_PASSED_BY,        /* left.h */
    CAUCUS_REASON_LEVELS,           /* levels.h */
    CAUCUS_REASON_REORDER,
    CAUCUS_REASON_DIMENSIONS,
    CAUCUS_REASON_UNATTACHED,
    CAUCUS_REASON_WORLDS,
    CAUCUS_REASON_MEASURED, /* MPI's own is faster: CAUCUS_SELECT=measure */
    CAUCUS_REASON_OTHER,
    CAUCUS_REASONS
};

enum { CAUCUS_REASON_WORDS = 128 };

/* "CAUCUS_ENABLE=blocking would take it over"; nothing that JSON would have to quote. */
void caucus_reason_words(enum caucus_call call, enum caucus_reason reason,
                         char words[CAUCUS_REASON_WORDS]);

/* Why caucus_call_is_ours or, between two groups, caucus_call_is_ours_between is false. */
enum caucus_reason caucus_reason_of(enum caucus_call call, bool between);

/* Counts a call that was left to MPI; any thread. */
void caucus_call_pass(enum caucus_call call, enum caucus_reason reason);

#endif
