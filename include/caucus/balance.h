/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of ranks that help each other: each has a work of its own, and one that is done is taken
 * into a group that is not, so that more ranks share what is left there.
 *
 *   caucus_balance_open(comm, 4, &balance);            groups of four ranks, each with its work
 *   for (int news = CAUCUS_BALANCE_GROWN; news != CAUCUS_BALANCE_OVER;) {
 *       if (news == CAUCUS_BALANCE_GROWN) {
 *           caucus_balance_group(balance, &group, &source, &work);
 *           caucus_group_bcast(&left, 1, MPI_INT, source, group);    what is left of the work
 *       }
 *       if (left > 0)
 *           left -= do_a_step_of(work, group);
 *       caucus_balance_poll(balance, left > 0, &news);
 *   }
 *   caucus_balance_close(&balance);
 *
 * Ranks are a ring: who is done asks the group to its right, and is passed on while that is done
 * too. A busy group takes in all who ask at its next poll, in one step, whichever and how many they
 * are; the other groups have no part in it and are not delayed.
 *
 * Every function returns an MPI error code after calling the error handler of the communicator
 * that it was opened on (that of MPI_COMM_SELF for CAUCUS_BALANCE_NULL). One thread at a time calls
 * functions on a balance.
 *
 * Source: J. Dinan, S. Krishnamoorthy, P. Balaji, J. Hammond, M. Krishnan, V. Tipparaju and
 * A. Vishnu, Noncollective communicator creation in MPI, EuroMPI 2011, section 4.2. The protocol is
 * our own: docs/development/groups.md. */
#ifndef CAUCUS_BALANCE_H
#define CAUCUS_BALANCE_H

#include <caucus/group_object.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caucus_balance_object *caucus_balance;

#define CAUCUS_BALANCE_NULL ((caucus_balance)0)

/* What a poll tells. */
enum {
    CAUCUS_BALANCE_SAME,  /* the group is what it was */
    CAUCUS_BALANCE_GROWN, /* it is a new and larger one: caucus_balance_group */
    CAUCUS_BALANCE_OVER   /* the works of all groups are done, and so at every later poll */
};

/* Groups of group_size ranks that follow one another, the last one of what is left. Collective over
 * comm, an intracommunicator, which is attached if it is not; takes a context id. Errors, on all
 * ranks: MPI_ERR_COMM (null, two groups), MPI_ERR_ARG (a null pointer, group_size below 1 or
 * different), MPI_ERR_NO_MEM. */
int caucus_balance_open(MPI_Comm comm, int group_size, caucus_balance *balance);

/* The group that this rank is in, which belongs to the balance and goes with the poll that tells of
 * the next one (requests that are left keep it). source: the rank in it of the first of those who
 * had the work before, and so know what is left of it; work: whose it is, by the number of the
 * group that had it to begin with. group, source and work may be NULL. Local. The new members'
 * ranks come before the old ones', as they do on the ring. */
int caucus_balance_group(caucus_balance balance, caucus_group *group, int *source, int *work);

/* Once a step, by all members of a group, where none of the group's operations is pending. busy:
 * whether anything of the work is left; the group's rank 0 decides, what others say does not count.
 * While busy it returns at once but for a broadcast to the group (n - 1 messages of 32 bytes; where
 * the group grows also the wait for those who have not polled yet since it grew last, and twice as
 * many messages as the new group has members). Else it waits, while everything active moves on,
 * until some group has taken this one in, or all works are done. With CAUCUS_TIMEOUT, a poll during
 * which it waits for longer fails (MPI_ERR_OTHER) and names a rank: that must be longer than a
 * step. Then the balance has failed, and can only be closed. Between growths the group's rank 0 is
 * held up by nobody: where steps have no other communication, it may get many polls ahead, and what
 * it told waits in MPI. Errors: MPI_ERR_ARG (null pointer), MPI_ERR_NO_MEM (as of groups:
 * caucus/group.h). */
int caucus_balance_poll(caucus_balance balance, int busy, int *news);

typedef struct {
    MPI_Count polls;       /* of this rank */
    MPI_Count regroupings; /* new groups that it became a member of */
    MPI_Count requests;    /* sent to the right: its groups' own and those that it passed on */
    MPI_Count messages;    /* sent, requests among them, other than those of freed groups */
    double waited;         /* seconds in polls */
} caucus_balance_counters;

/* What this rank has done since it was opened. Local. */
int caucus_balance_statistics(caucus_balance balance, caucus_balance_counters *counters);

/* Frees it, and its group. Collective over comm, when polls have told CAUCUS_BALANCE_OVER
 * (MPI_ERR_PENDING otherwise, and nothing is done); by itself on a rank where a poll has failed.
 * balance becomes CAUCUS_BALANCE_NULL. */
int caucus_balance_close(caucus_balance *balance);

#ifdef __cplusplus
}
#endif

#endif
