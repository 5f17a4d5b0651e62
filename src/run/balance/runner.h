/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings messages and polls to the protocol by which groups help each other
 * (plan/protocol/balance.h), and what it wants sent to MPI. One thread at a time. */
#ifndef CAUCUS_RUN_BALANCE_RUNNER_H
#define CAUCUS_RUN_BALANCE_RUNNER_H

#include "plan/protocol/balance.h"
#include "run/attach.h"
#include "run/group/group.h"

struct caucus_balance_numbers {
    int64_t polls, regroupings, asks, messages; /* asks are among messages, which were sent */
    double waited;                              /* seconds in polls */
};

struct caucus_balance_runner {
    struct caucus_attachment *attachment; /* held; it has an engine */
    struct caucus_balance_setup setup;
    MPI_Comm comm; /* private to it */
    void *state;
    struct caucus_actions actions;
    struct caucus_mail *mail;
    int64_t number; /* this rank's to give; -1 */
    bool decided, over;
    enum caucus_balance_news news;
    struct caucus_balance_group group; /* that the user knows */
    struct caucus_balance_numbers numbers;
    int status; /* it has failed, and so do all calls */
};

/* Collective; comm is taken over on success. */
int caucus_balance_runner_open(struct caucus_attachment *attachment, MPI_Comm comm,
                               int32_t group_size, struct caucus_balance_runner **runner);

/* A poll: *news, and the group in the runner. also, if not NULL, moves on what else is active. */
int caucus_balance_runner_poll(struct caucus_balance_runner *runner, bool busy, bool (*also)(void),
                               enum caucus_balance_news *news);

/* Its members, by which a new group is made. */
int caucus_balance_runner_members(const struct caucus_balance_runner *runner,
                                  struct caucus_members *members);

/* Until all ranks are here, unless it has failed. It is gone afterwards. also: as for a poll. */
int caucus_balance_runner_close(struct caucus_balance_runner *runner, bool (*also)(void));

#endif
