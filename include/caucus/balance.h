/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Load balancing by groups that grow: idle groups join busy ones.
 */
#ifndef CAUCUS_BALANCE_H
#define CAUCUS_BALANCE_H

#include <caucus/group_object.h>

#include <mpi.h>

/**
 * @defgroup balance Groups that help each other
 * @brief Each group of ranks has its own work; a group that has finished joins one that has not.
 *
 * So more ranks share the work that is left there. Only the groups that join and the group that
 * they join take part; the others are not delayed.
 *
 * @code
 * caucus_balance balance;
 * caucus_balance_open(comm, 4, &balance);          // groups of four ranks, each with its own work
 * for (int news = CAUCUS_BALANCE_GROWN; news != CAUCUS_BALANCE_OVER;) {
 *     if (news == CAUCUS_BALANCE_GROWN) {          // at first, and whenever the group has grown
 *         caucus_balance_group(balance, &group, &source, &work);
 *         caucus_group_bcast(&left, 1, MPI_INT, source, group);    // what is left of the work
 *     }
 *     if (left > 0)
 *         left -= do_a_step_of(work, group);
 *     caucus_balance_poll(balance, left > 0, &news);
 * }
 * caucus_balance_close(&balance);
 * @endcode
 *
 * How groups are chosen: ranks form a ring. A group that has finished asks the group to its right;
 * groups that have finished too pass the request on. A busy group takes in all that have asked at
 * its next poll, in one step, however many they are. Groups never split.
 *
 * Errors are raised at the error handler of the communicator that the balance was opened on (of
 * MPI_COMM_SELF for CAUCUS_BALANCE_NULL).
 *
 * Threads: one thread at a time may call functions on a balance.
 *
 * Source: J. Dinan, S. Krishnamoorthy, P. Balaji, J. Hammond, M. Krishnan, V. Tipparaju and
 * A. Vishnu, Noncollective communicator creation in MPI, EuroMPI 2011, section 4.2. The protocol is
 * our own (docs/development/groups.md). docs/balance.md is the guide.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The handle of a balance: groups of a communicator that help each other. */
typedef struct caucus_balance_object *caucus_balance;

/** No balance. */
#define CAUCUS_BALANCE_NULL ((caucus_balance)0)

/** What caucus_balance_poll reports. */
enum {
    CAUCUS_BALANCE_SAME,  /**< The group has not changed. */
    CAUCUS_BALANCE_GROWN, /**< This rank is in a new, larger group: caucus_balance_group. */
    CAUCUS_BALANCE_OVER   /**< No group has work left. Later polls report the same. */
};

/**
 * Divides the ranks of a communicator into groups: ranks 0 to group_size - 1 are group 0, the next
 * ones group 1, and so on. The last group has the ranks that are left.
 *
 * Collective over @p comm. Attaches it if it is not attached; takes a context id of MPI.
 *
 * @param[in] comm       An intracommunicator.
 * @param[in] group_size Number of ranks in a group, at least 1, the same on all ranks.
 * @param[out] balance   The balance, to be closed by caucus_balance_close.
 * @return MPI_SUCCESS, or on all ranks: MPI_ERR_COMM (MPI_COMM_NULL, an intercommunicator),
 *         MPI_ERR_ARG (a null pointer, a group size below 1 or that differs between ranks),
 *         MPI_ERR_NO_MEM.
 */
int caucus_balance_open(MPI_Comm comm, int group_size, caucus_balance *balance);

/**
 * Tells which group this rank is in. Local.
 *
 * @param[in] balance A balance.
 * @param[out] group  NULL, or the group. It belongs to the balance, and is freed by the poll that
 *                    reports the next one; requests that are left keep what they need. In a group
 *                    that has grown, the ranks that joined come before those that were there, in
 *                    the order of the ring.
 * @param[out] source NULL, or the rank in @p group of a member that took part in the work before,
 *                    and so can be the root of a broadcast of its state to those that joined.
 * @param[out] work   NULL, or which work the group does: the number of the group that had it at the
 *                    beginning, from 0.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_BALANCE_NULL).
 */
int caucus_balance_group(caucus_balance balance, caucus_group *group, int *source, int *work);

/**
 * To be called once a step of the work: takes in groups that have finished, or joins one that has
 * not.
 *
 * Collective over the members of the group, while none of its operations is pending. If @p busy, it
 * returns at once, except for a broadcast of 32 bytes to the group (n - 1 messages); if the group
 * grows, it also waits for members that have not polled since it grew last, and sends twice as many
 * messages as the new group has members. If not @p busy, it waits until another group has taken
 * this one in, or all work is done, while everything active in Caucus makes progress.
 *
 * A group that has finished, and whose rank 0 has no group number left (@ref group), does not ask
 * to be taken in: it waits until a group on its left asks, or all work is done, and a line on
 * standard error says so.
 *
 * Rank 0 of the group waits for no other member in a poll that does not change the group. If steps
 * have no communication of their own, it may run many polls ahead, and its messages are buffered by
 * MPI.
 *
 * With CAUCUS_TIMEOUT, which must then be longer than a step, a poll that waits longer fails
 * with MPI_ERR_OTHER and names a rank. The balance has failed then, and can only be closed.
 *
 * Without memory for the handle of a group that has grown, a poll fails with MPI_ERR_NO_MEM on that
 * rank only, which is a member all the same: it should poll again, for others may wait for it.
 *
 * @param[in] balance A balance.
 * @param[in] busy    Not 0 if work is left. Significant on rank 0 of the group only.
 * @param[out] news   CAUCUS_BALANCE_SAME, CAUCUS_BALANCE_GROWN or CAUCUS_BALANCE_OVER.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (CAUCUS_BALANCE_NULL or a null pointer), MPI_ERR_OTHER (see
 *         above), MPI_ERR_NO_MEM.
 */
int caucus_balance_poll(caucus_balance balance, int busy, int *news);

/** What one rank has done since the balance was opened. */
typedef struct {
    MPI_Count polls;       /**< Calls of caucus_balance_poll. */
    MPI_Count regroupings; /**< New groups that this rank became a member of. */
    MPI_Count requests;    /**< Requests sent to the right: of its own groups, and passed on. */
    MPI_Count messages;    /**< Messages sent, requests included; not those that free groups. */
    double waited;         /**< Seconds spent waiting in polls. */
} caucus_balance_counters;

/**
 * Reports what this rank has done since the balance was opened. Local.
 *
 * @param[in] balance   A balance.
 * @param[out] counters The counters of this rank.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_BALANCE_NULL or a null pointer).
 */
int caucus_balance_statistics(caucus_balance balance, caucus_balance_counters *counters);

/**
 * Closes a balance, and frees its group.
 *
 * Collective over the communicator that it was opened on, after a poll has reported
 * CAUCUS_BALANCE_OVER. A rank on which a poll has failed closes it by itself.
 *
 * @param[in,out] balance The balance; becomes CAUCUS_BALANCE_NULL.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (a null pointer or CAUCUS_BALANCE_NULL), MPI_ERR_PENDING (no
 *         poll of this rank has reported CAUCUS_BALANCE_OVER; nothing is done), MPI_ERR_OTHER (a
 *         rank has not closed within CAUCUS_TIMEOUT, or another rank's balance has failed).
 */
int caucus_balance_close(caucus_balance *balance);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
