/* SPDX-License-Identifier: BSD-3-Clause */
/* How texts of errors name a rank. Between two groups it is "rank 2 of the remote group", as
 * whoever reads it sees it; but a text may be made on one rank and read on all. So a text has a
 * mark and the rank's number among all, and who raises the error settles what that is called:
 *
 *     caucus_fail(status, CAUCUS_RANK " sends %d bytes to " CAUCUS_RANK, sender, bytes, receiver);
 */
#ifndef CAUCUS_RUN_SUPPORT_RANK_TEXT_H
#define CAUCUS_RUN_SUPPORT_RANK_TEXT_H

#include <stddef.h>

#define CAUCUS_RANK "rank \x01%d"

/* Who reads: rank among all, of which the first first_group are one of two groups; 0 if there is
 * only one group, where a rank is just "rank 2". */
struct caucus_reader {
    int first_group, rank;
};

/* Settles the text kept for caucus_error_text(); again does no harm. caucus_raise and
 * caucus_context_raise do it for every error. */
void caucus_rank_text_settle(struct caucus_reader reader);

/* The same for a text in a buffer of a given size, which may cut it short. */
void caucus_rank_text_settle_in(struct caucus_reader reader, char *text, size_t size);

#endif
