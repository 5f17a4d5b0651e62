/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of ranks, each with a work of its own, that help each other: one that is done asks the
 * group to its right, and is taken into it at the next poll of that one, or of the next busy one.
 *
 * Ranks are a ring. A group is a stretch of it, first to first + count - 1; its first rank speaks
 * for it. To begin with there are groups of group_size (the last may be smaller), numbered from the
 * left, and each has the work of its number. A group takes in its left neighbours only, so that the
 * rank right of a group is the first one of the next group for as long as the two are two.
 *
 *   the first of a group that is done      ASK(from, number)  ->  the rank right of the group
 *   the first of a done group that is asked: the same, on to the right; it remembers who asks
 *   the first of a busy group that is asked: remembers; at its next poll
 *        GROWN(from, count, number, source, work)  -> its own group, down its tree, and to the left
 *        neighbour, who hands it to its own group and to its left neighbour, up to from
 *
 * So any number of done groups are taken in by one poll. An ASK says that everything from `from` up
 * to its receiver is done; who gets it and is no first rank any more drops it, because the sender
 * is in its group by now and keeps what it passed on. The new group's number (plan/group/numbers.h)
 * is that of rank `from`, its first; it rode on the ASK. A done group whose first rank has no
 * number does not ask: it is taken in only with one on its left.
 *
 * At a poll the first rank tells its group SAME, IDLE or GROWN down the tree of positions. Whose
 * user was told GROWN says IN up the new tree, and the first rank speaks again when all are in; so
 * nobody hears of a later group before an earlier one. Others may lag behind by any number of SAME
 * and one IDLE and GROWN, which are kept for their next polls.
 *
 * The end: IDLE says which work is done, and the first rank of the group that had it to begin with
 * is among those that hear it. These count, DONE, up a tree of their own, and rank 0 says OVER to
 * all.
 *
 * Cost: a poll is count - 1 messages, growing count of the whole new one for GROWN and again for IN
 * (less 1 each); an ASK goes through each done group between once. The end takes one message for
 * each group and one for each rank.
 *
 * Peers are ranks. Events: CALL (number: whether the group is busy, which counts on its first rank;
 * bytes: an int64_t, a group number that is this rank's to give, or -1), at any time but during
 * another. One DECIDE for each CALL: number is enum caucus_balance_news, bytes struct
 * caucus_balance_group.
 */
#ifndef CAUCUS_PLAN_PROTOCOL_BALANCE_H
#define CAUCUS_PLAN_PROTOCOL_BALANCE_H

#include "plan/protocol/protocol.h"

enum { CAUCUS_BALANCE_MESSAGE_BYTES = 32 };

enum caucus_balance_news {
    CAUCUS_BALANCE_NEWS_SAME,
    CAUCUS_BALANCE_NEWS_GROWN,
    CAUCUS_BALANCE_NEWS_OVER /* all works are done; so at every later call */
};

struct caucus_balance_setup {
    int32_t ranks, group_size;
};

struct caucus_balance_group {
    int32_t first, count;
    int32_t source; /* first rank of those that had the work before */
    int32_t work;
    int64_t number;
};

extern const struct caucus_protocol caucus_balance_protocol;

/* The group that a rank is in. */
struct caucus_balance_group caucus_balance_current(const void *state);

/* Whether this rank speaks for a group that may have to ask another one, with a number of this
 * rank's. */
bool caucus_balance_may_ask(const struct caucus_balance_setup *setup, const void *state);

/* Whom this rank waits for and for which message, in a call that is not decided, in words. */
void caucus_balance_explain(const struct caucus_balance_setup *setup, const void *state, char *text,
                            int64_t size);

/* What kind a message is, for counters. */
bool caucus_balance_is_ask(const void *bytes);

#endif
