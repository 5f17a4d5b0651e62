/* SPDX-License-Identifier: BSD-3-Clause */
/* What the drop-in leaves to MPI as it could not have it whole, and why: agreed by all ranks, said
 * once, and kept for the report. */
#ifndef CAUCUS_API_CALLS_LEFT_H
#define CAUCUS_API_CALLS_LEFT_H

#include <stdbool.h>

struct caucus_attachment;

enum caucus_left {
    CAUCUS_LEFT_NONE,
    CAUCUS_LEFT_REQUESTS, /* nonblocking and persistent collectives, which a later call completes */
    CAUCUS_LEFT_ALL
};

enum { CAUCUS_LEFT_WORDS = 256 };

/* Before all ranks agree: what this one cannot have whole, and who is in the way; the most of
 * several counts. The words hold nothing that JSON would have to quote. */
void caucus_left_want(enum caucus_left left, const char *words);

/* Collective: the most that any rank wants, which says why. CAUCUS_LEFT_ALL where MPI fails. */
enum caucus_left caucus_left_agree(const struct caucus_attachment *world);

/* What they agreed on. */
enum caucus_left caucus_left_agreed(void);

/* What this rank said; "" on all others. */
const char *caucus_left_sentence(void);

void caucus_left_say(const char *sentence);

/* A report for a program that was left to MPI from the start. */
void caucus_left_report(const char *sentence);

/* Something was loaded later that gets around us: from now on persistent inits are left to MPI by
 * all of their ranks. */
void caucus_left_late(const char *words);

/* What a persistent init returns then, on all ranks, with no error raised: no code of MPI's. */
enum { CAUCUS_CALL_REFUSED = -1 };

/* Around an init that was called by MPI's name: those of the library's own are never left. */
void caucus_refusal_allow(bool allowed);

/* CAUCUS_REFUSED if this process leaves persistent inits to MPI, else CAUCUS_OK: all ranks of such
 * a call learn it where they agree on everything else. */
int caucus_refusal(void);

#endif
