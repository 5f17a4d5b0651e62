/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Merging light groups, adding ranks to them, and asking a busy group to be merged into it.
 */
#ifndef CAUCUS_GROUP_MERGE_H
#define CAUCUS_GROUP_MERGE_H

#include <caucus/group_object.h>
#include <caucus/request.h>

#include <mpi.h>

/**
 * @defgroup group_merge Merging light groups
 * @brief Groups become one, by their members alone.
 *
 * All functions here make a new group; the old ones stay, and are freed by each of their members
 * when it likes. All groups must have been made of the same communicator (or of groups of it) and
 * have no rank in common. What @ref group says of tags, nonblocking forms, errors and
 * attaching holds here too. "First member" means the rank 0 of a group, and is passed as its rank
 * in the communicator.
 *
 * Threads: as described in @ref group.
 *
 * Three ways:
 * - All agree beforehand: caucus_group_merge, called by all members of all groups.
 * - Single ranks join a group: members call caucus_group_grow, the others caucus_group_join.
 * - An idle group asks a busy one: all members of the idle group call caucus_group_ask and wait.
 *   The first member of the busy group polls for requests from time to time (caucus_group_poll),
 *   which does not wait; to accept some, all members of the busy group call caucus_group_take.
 *
 * @code
 * // idle group: all members wait here
 * caucus_group_ask(group, first, tag, &merged, &instead);
 *
 * // busy group, once in a while
 * int askers[8], count = 0;
 * if (rank == 0)
 *     caucus_group_poll(group, tag, 8, askers, &count);    // on its first member, does not wait
 * caucus_group_bcast(&count, 1, MPI_INT, 0, group);
 * if (count > 0)
 *     caucus_group_take(group, askers, count, tag, &merged);
 * @endcode
 *
 * Rules of asking:
 * - A rank acts as first member of one group at a time for each tag: the group that it used last in
 *   a call with this tag.
 * - Each request is answered once: accepted (caucus_group_take) or refused (caucus_group_refuse, or
 *   by Caucus itself in the two cases below).
 * - While its own request is pending, a group cannot accept others: caucus_group_poll and
 *   caucus_group_refuse return MPI_ERR_PENDING. Of the groups that ask it meanwhile, those whose
 *   first member has a greater rank than its own are refused at once; the others wait. So groups
 *   that ask each other, in a ring for instance, do not deadlock.
 * - A group that was accepted by another one refuses all requests, and names the first member of
 *   that group as a better one to ask.
 * - A group that was refused should poll before it asks again, because another group may have asked
 *   it.
 * - With CAUCUS_TIMEOUT, a request without an answer is withdrawn after that time, which should
 *   therefore be longer than a group may be busy. caucus_group_ask then ends as soon as the rank
 *   that was asked makes any call of caucus/group.h or this header: with MPI_ERR_OTHER, or with the
 *   answer if it was given just before. If that rank makes no such call for as long again, the
 *   request is given up with MPI_ERR_OTHER. Then it can be asked again with this tag only after it
 *   has answered (until then MPI_ERR_PENDING); and if it was accepting the request at that moment,
 *   its caucus_group_take may return a group that the members that gave up do not have.
 *
 * Cost for k groups with n members in all: caucus_group_merge takes n + k - 2 messages, in
 * 2 log2 k + log2 n steps one after the other; caucus_group_grow, where k ranks join, as much as
 * merging 1 + k groups; accepting k groups takes n + k - 1 messages. What a group knows of its own
 * members is not exchanged again.
 *
 * Source: J. Dinan et al., Noncollective communicator creation in MPI, EuroMPI 2011, for merging as
 * a means; the protocols are our own (docs/development/groups.md).
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Merges any number of groups in one step. The new group has the members of the first group, then
 * those of the second one, and so on.
 *
 * @code
 * int firsts[] = {4, 0, 9};    // ranks in the communicator of the first members
 * caucus_group_merge(group, rank == 0 ? firsts : NULL, rank == 0 ? 3 : 0, tag, &all);
 * @endcode
 *
 * Collective over the members of all groups, each with its own group.
 *
 * @param[in] group   The group of the calling rank.
 * @param[in] firsts  @p k ranks in the communicator: the first members of all groups, this one
 *                    included, in the order that the groups have in the new one. Significant on
 *                    first members only, and the same on them; others may pass NULL.
 * @param[in] k       Number of groups, at least 1. Significant on first members only.
 * @param[in] tag     0 to 2^31 - 1, the same on all members of all groups.
 * @param[out] merged The new group, to be freed by caucus_group_free.
 * @return MPI_SUCCESS, or on all members of all groups: MPI_ERR_ARG (a wrong list, lists that
 *         differ, groups that share a rank), MPI_ERR_OTHER, MPI_ERR_NO_MEM, MPIX_ERR_PROC_FAILED,
 *         as described in @ref group.
 */
int caucus_group_merge(caucus_group group, const int firsts[], int k, int tag,
                       caucus_group *merged);

/**
 * The nonblocking form of caucus_group_merge.
 *
 * @param[in] group    The group of the calling rank.
 * @param[in] firsts   As in caucus_group_merge; may be reused when the call returns.
 * @param[in] k        Number of groups, at least 1. Significant on first members only.
 * @param[in] tag      0 to 2^31 - 1, the same on all members of all groups.
 * @param[out] merged  Set to the new group when @p request completes; must stay where it is until
 *                     then.
 * @param[out] request The request.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on this rank only. What
 *         concerns all members is the error of the request.
 */
int caucus_group_imerge(caucus_group group, const int firsts[], int k, int tag,
                        caucus_group *merged, caucus_request *request);

/**
 * Adds ranks of the communicator that are not in the group, as its last members. The members of the
 * group call caucus_group_grow, the others caucus_group_join, with the same tag.
 *
 * Collective over the members of the new group. The first member exchanges a message with each rank
 * that joins.
 *
 * @param[in] group   The group.
 * @param[in] joining @p n ranks in the communicator, in the order that they are to have. None is a
 *                    member. Significant on the group's first member only; others may pass NULL.
 * @param[in] n       How many join, at least 0. Significant on the group's first member only.
 * @param[in] tag     0 to 2^31 - 1, the same on all.
 * @param[out] grown  The new group, to be freed by caucus_group_free.
 * @return MPI_SUCCESS, or an error as of caucus_group_merge, on all.
 */
int caucus_group_grow(caucus_group group, const int joining[], int n, int tag, caucus_group *grown);

/**
 * The nonblocking form of caucus_group_grow.
 *
 * @param[in] group    The group.
 * @param[in] joining  As in caucus_group_grow; may be reused when the call returns.
 * @param[in] n        How many join, at least 0. Significant on the group's first member only.
 * @param[in] tag      0 to 2^31 - 1, the same on all.
 * @param[out] grown   Set to the new group when @p request completes; must stay where it is until
 *                     then.
 * @param[out] request The request.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on this rank only. What
 *         concerns all members is the error of the request.
 */
int caucus_group_igrow(caucus_group group, const int joining[], int n, int tag, caucus_group *grown,
                       caucus_request *request);

/**
 * Joins a group whose members call caucus_group_grow. The caller needs to know only the group's
 * first member.
 *
 * Collective over the members of the new group.
 *
 * @param[in] comm   The communicator that the group was made of.
 * @param[in] first  Rank in @p comm of the group's first member; not the caller's own.
 * @param[in] tag    0 to 2^31 - 1, the same on all.
 * @param[out] group The new group, to be freed by caucus_group_free.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM (MPI_COMM_NULL, an intercommunicator, not attached), or an
 *         error as of caucus_group_merge.
 */
int caucus_group_join(MPI_Comm comm, int first, int tag, caucus_group *group);

/**
 * The nonblocking form of caucus_group_join.
 *
 * @param[in] comm     The communicator that the group was made of.
 * @param[in] first    Rank in @p comm of the group's first member; not the caller's own.
 * @param[in] tag      0 to 2^31 - 1, the same on all.
 * @param[out] group   Set to the new group when @p request completes; must stay where it is until
 *                     then.
 * @param[out] request The request.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on this rank
 *         only. What concerns all members is the error of the request.
 */
int caucus_group_ijoin(MPI_Comm comm, int first, int tag, caucus_group *group,
                       caucus_request *request);

/**
 * Asks another group to take in this one, and waits for the answer.
 *
 * Collective over @p group.
 *
 * @param[in] group    The group that asks.
 * @param[in] first    Rank in the communicator of the other group's first member; no member of
 *                     @p group. Significant on the first member of @p group only.
 * @param[in] tag      0 to 2^31 - 1; the other group polls and takes with the same tag.
 * @param[out] merged  The new group, to be freed by caucus_group_free, if the request was accepted;
 *                     CAUCUS_GROUP_NULL if it was refused.
 * @param[out] instead NULL, or, if refused, the rank in the communicator of a first member that it
 *                     may be better to ask, MPI_PROC_NULL if none is known.
 * @return MPI_SUCCESS if there was an answer, also if it was a refusal; or on all members of
 *         @p group: MPI_ERR_ARG (a wrong argument, a group that another one has taken in),
 *         MPI_ERR_PENDING (the rank has not yet answered an earlier request that was given up),
 *         MPI_ERR_OTHER (no answer within CAUCUS_TIMEOUT), MPIX_ERR_PROC_FAILED, MPI_ERR_NO_MEM.
 */
int caucus_group_ask(caucus_group group, int first, int tag, caucus_group *merged, int *instead);

/**
 * The nonblocking form of caucus_group_ask.
 *
 * @param[in] group    The group that asks.
 * @param[in] first    As in caucus_group_ask.
 * @param[in] tag      0 to 2^31 - 1; the other group polls and takes with the same tag.
 * @param[out] merged  Set when @p request completes; must stay where it is until then.
 * @param[out] instead NULL, or set when @p request completes; must stay where it is until then.
 * @param[out] request The request.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on this rank only. What
 *         concerns all members is the error of the request.
 */
int caucus_group_iask(caucus_group group, int first, int tag, caucus_group *merged, int *instead,
                      caucus_request *request);

/**
 * Looks whether groups ask to be taken in. They go on waiting until they are taken or refused.
 *
 * Local; does not wait. Called by the group's first member only.
 *
 * @param[in] group   The group that may be asked.
 * @param[in] tag     0 to 2^31 - 1.
 * @param[in] limit   Room in @p askers, at least 0.
 * @param[out] askers Ranks in the communicator of the first members of groups that ask, ascending.
 * @param[out] count  How many, at most @p limit.
 * @return MPI_SUCCESS, or: MPI_ERR_RANK (called by another member), MPI_ERR_ARG, MPI_ERR_PENDING (a
 *         request of this group's own is pending), MPI_ERR_NO_MEM.
 */
int caucus_group_poll(caucus_group group, int tag, int limit, int askers[], int *count);

/**
 * Takes in groups that have asked. The new group has the members of @p group, then those of the
 * groups that asked, in the order of @p askers.
 *
 * Collective over @p group; the groups that asked wait in caucus_group_ask.
 *
 * @param[in] group   The group that was asked.
 * @param[in] askers  @p k of the ranks that caucus_group_poll returned. Significant on the group's
 *                    first member only.
 * @param[in] k       How many. Significant on the group's first member only.
 * @param[in] tag     0 to 2^31 - 1, the tag of the requests.
 * @param[out] merged The new group, to be freed by caucus_group_free.
 * @return MPI_SUCCESS, or on all members: MPI_ERR_ARG (a wrong argument, or one of the ranks does
 *         not ask any more; the others still do and may be taken by another call), MPI_ERR_PENDING
 *         (a request of this group's own is pending), MPI_ERR_OTHER, MPIX_ERR_PROC_FAILED,
 *         MPI_ERR_NO_MEM.
 */
int caucus_group_take(caucus_group group, const int askers[], int k, int tag, caucus_group *merged);

/**
 * The nonblocking form of caucus_group_take.
 *
 * @param[in] group    The group that was asked.
 * @param[in] askers   As in caucus_group_take; may be reused when the call returns.
 * @param[in] k        How many. Significant on the group's first member only.
 * @param[in] tag      0 to 2^31 - 1, the tag of the requests.
 * @param[out] merged  Set to the new group when @p request completes; must stay where it is until
 *                     then.
 * @param[out] request The request.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on this rank only. What
 *         concerns all members is the error of the request.
 */
int caucus_group_itake(caucus_group group, const int askers[], int k, int tag, caucus_group *merged,
                       caucus_request *request);

/**
 * Refuses a group that has asked: its caucus_group_ask returns CAUCUS_GROUP_NULL.
 *
 * Local; sends one message and does not wait. Called by the group's first member only.
 *
 * @param[in] group The group that was asked.
 * @param[in] asker A rank that caucus_group_poll returned.
 * @param[in] tag   0 to 2^31 - 1, the tag of the request.
 * @return MPI_SUCCESS, or: MPI_ERR_RANK (called by another member), MPI_ERR_ARG (that rank does not
 *         ask), MPI_ERR_PENDING (a request of this group's own is pending), MPI_ERR_NO_MEM.
 */
int caucus_group_refuse(caucus_group group, int asker, int tag);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
