/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings messages and polls to the protocol by which groups help each other
 * (plan/protocol/balance.h), and what it wants sent to MPI. One thread at a time. */
#ifndef CAUCUS_RUN_BALANCE_RUNNER_H
#define CAUCUS_RUN_BALANCE_RUNNER_H

#include "plan/protocol/balance.h"
#include "run/attachment/attach.h"
#include "run/group/group.h"
#include "run/protocol/rank_mailbox.h"
#include "run/protocol/runner.h"

struct caucus_balance_numbers {
    int64_t polls, regroupings, asks, messages; /* asks are among messages, which were sent */
    double waited;                              /* seconds in polls */
};

struct caucus_balance_runner {
    struct caucus_attachment *attachment; /* held; it has an engine */
    struct caucus_balance_setup setup;
    struct caucus_runner runner;
    struct caucus_actions actions;
    struct caucus_rank_mailbox mailbox;
    int64_t number;                   /* this rank's to give; -1 */
    bool decided, over, lacks_number; /* the last has been told */
    enum caucus_balance_news news;
    struct caucus_balance_group group; /* that the user knows */
    struct caucus_balance_numbers numbers;
    int status; /* it has failed, and so do all calls */
};

/* Collective; it may fail on some ranks alone. */
int caucus_balance_runner_open(struct caucus_attachment *attachment, int32_t group_size,
                               struct caucus_balance_runner **runner);

/* A poll: *news, and the group in the runner. */
int caucus_balance_runner_poll(struct caucus_balance_runner *runner, bool busy,
                               enum caucus_balance_news *news);

/* Its members, by which a new group is made. */
int caucus_balance_runner_members(const struct caucus_balance_runner *runner,
                                  struct caucus_members *members);

/* Until all ranks are here, unless it has failed. It is gone afterwards. */
int caucus_balance_runner_close(struct caucus_balance_runner *runner);

#endif
