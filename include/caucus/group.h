/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Light groups: formed by their members alone, with collectives and messages of their own.
 */
#ifndef CAUCUS_GROUP_H
#define CAUCUS_GROUP_H

#include <caucus/group_functions.h>
#include <caucus/group_merge.h>
#include <caucus/group_messages.h>
#include <caucus/group_object.h>
#include <caucus/request.h>

#include <mpi.h>

/**
 * @defgroup group Light groups
 * @brief Some ranks of a communicator form a group by themselves, in microseconds.
 *
 * A light group is an ordered set of ranks of a communicator, its parent. Only the members take
 * part in making it; the other ranks of the parent neither take part nor learn of it. It has
 * collectives (caucus/group_functions.h), point-to-point messages (caucus/group_messages.h), and
 * can be merged with others, grow and shrink (caucus/group_merge.h).
 *
 * @code
 * caucus_comm_attach(comm);                                 // once, by all ranks of comm
 *
 * int members[] = {7, 2, 5};                                // ranks of comm, in the group's order
 * caucus_group group;
 * caucus_group_create(comm, members, 3, tag, &group);       // by these three ranks alone
 * caucus_group_allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, group);
 * caucus_group_free(&group);
 * @endcode
 *
 * A light group is not an MPI communicator: it takes no context id, and windows, files and other
 * libraries cannot use it (caucus/group_comm.h makes a communicator out of it). Its messages travel
 * on a private duplicate of the parent, with tags that no other group has. So messages of different
 * groups, of the parent, and of the program never match each other, however groups overlap.
 *
 * Attaching: the parent must have been attached before, because attaching is collective over the
 * parent: by caucus_comm_attach, or by a blocking collective, a persistent init, a channel, a pool
 * or a balance of Caucus on it. The functions of caucus/grid.h are not enough.
 *
 * Who must call: all members, and no other rank. A rank that is not in the list that it passes gets
 * CAUCUS_GROUP_NULL and MPI_SUCCESS, and sends no message.
 *
 * Order and tags: as for MPI_Comm_create_group. Groups that have two or more ranks in common must
 * be made in the same order on these ranks, or with different tags. Tags are from 0 to 2^31 - 1 and
 * unrelated to the tags of messages.
 *
 * Threads: with MPI_THREAD_MULTIPLE, any number of threads may make and use groups at the same
 * time, but two calls that are collective over the same group must not be concurrent. Threads that
 * make groups at the same time need different tags if the groups have ranks in common; where there
 * is no tag, one thread makes all groups of the same members. With lower thread levels, MPI's rules
 * hold.
 *
 * Lists of ranks are arrays of n ranks of the parent, each at most once, in the order that they are
 * to have in the group. They belong to the caller and are copied.
 *
 * Nonblocking forms (caucus_group_icreate and so on) return a request (caucus/request.h). The
 * handle of the new group is set when the request completes; until then it must stay where it is.
 * All other arguments may be reused when the call returns. The request fails with the error that
 * the blocking form returns. It can neither be freed nor cancelled before it is complete. Several
 * may be pending at a time. On a rank that is not in its own list the request is
 * CAUCUS_REQUEST_NULL.
 *
 * Errors are raised at the error handler of the parent communicator, or at that of MPI_COMM_SELF if
 * the parent has been freed or the group is CAUCUS_GROUP_NULL.
 * - Found before any message, on the rank that errs only: MPI_ERR_COMM (MPI_COMM_NULL, an
 *   intercommunicator, not attached), MPI_ERR_ARG (a null pointer or group, a negative n or tag,
 *   stride 0, a rank that the parent does not have or that is in the list twice), MPI_ERR_REQUEST
 *   (a null pointer to a request).
 * - MPI_ERR_ARG on every member that calls, if the lists of members differ. One case is not found:
 *   all members of a list have passed that list. They get their group, and a rank that has passed
 *   another list with some of them waits (rank 0 passes {0}, rank 1 passes {0, 1}: rank 1 waits).
 * - MPI_ERR_OTHER with CAUCUS_TIMEOUT set, if a member does not call in time; the text names it.
 *   Without CAUCUS_TIMEOUT the others wait for ever.
 * - MPI_ERR_NO_MEM on a member that lacks memory or group numbers (see below); the others get
 *   MPI_ERR_ARG, whose text names that member, or the group, if all had met by then. A member that
 *   waits gives up where memory is short for a second.
 * - MPIX_ERR_PROC_FAILED if a member that is waited for has died, where MPI reports failures
 *   (caucus/alive.h); the text names it. Other members may have got the group.
 *
 * After MPI_ERR_ARG or MPI_ERR_OTHER these ranks must use another tag, because their counts of
 * groups made with this one may differ.
 *
 * Limits: a living group occupies 64 to 256 tags of MPI, out of half of those that MPI_TAG_UB
 * allows, which are divided evenly among the ranks of the parent; a group takes them from the share
 * of its rank 0. So the number of groups of which one rank can be rank 0 at a time is limited: to
 * 132,104 if the parent has 8 ranks and MPI has 2^28 tags (MPICH); to 2,047 with 1,024 ranks; to 1
 * with 255 ranks if MPI has only the 32,768 tags that the standard requires. Beyond that, the call
 * fails with MPI_ERR_NO_MEM on that rank and MPI_ERR_ARG on the others; a group made without
 * messages fails with MPI_ERR_NO_MEM at its first use, for good and on all members. Tags can be
 * used again when all members have freed the group; members report that by messages that are sent
 * and forwarded within any call of this header.
 *
 * Cost of making a group of n members:
 *
 * | function | messages | latency |
 * |---|---|---|
 * | caucus_group_create | 2 (n - 1) of 48 bytes | 2 messages up to 64 members, else 2 log2 n |
 * | caucus_group_create_unchecked | n - 1 of 48 bytes | half of that |
 * | caucus_group_create_lazy, _create_range, _from_comm, _shrink | none | n - 1 messages later |
 * | caucus_group_split | an allgather of 16 bytes for each member | |
 *
 * Time and memory are O(n): about 100 bytes for each member while the group is made, 12 afterwards;
 * O(1) for ranges. For its collectives each group, of ranges too, has 4 bytes for each member,
 * which are asked for when it is made and written at the first one. Besides, what has been made is
 * counted, in 48 to 96 bytes: for each tag and each other member, until the communicator is freed,
 * or the group that it was made out of (caucus_group_create_within, caucus/group_comm.h); without
 * tags, for each list and range. What is used again takes no more.
 *
 * Cost of collectives: the first CAUCUS_GROUP_CALLS blocking collectives of a group (64 by default)
 * use messages only. The next one, or the first persistent init, reserves what collectives need,
 * including shared memory on each node as for a communicator (caucus/comm.h: 4.4 MiB where it has
 * up to eight members) and some 30 bytes for each member. That takes about a millisecond, once.
 *
 * Source: J. Dinan, S. Krishnamoorthy, P. Balaji, J. Hammond, M. Krishnan, V. Tipparaju and
 * A. Vishnu, Noncollective communicator creation in MPI, EuroMPI 2011, for the purpose of such
 * groups. The protocol is our own (docs/development/groups.md). docs/groups.md is the guide.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a group from a list of ranks, and checks that all members passed the same list.
 *
 * Collective over the members. Waits until all members have called, at most CAUCUS_TIMEOUT seconds
 * if that is set: it is what tells of members that do not call, and of the one difference between
 * lists that is not found (all members of a list have passed that list, and get their group, while
 * a rank that has passed a longer one waits for them).
 *
 * @param[in] comm    The parent, an attached intracommunicator.
 * @param[in] members @p n ranks of @p comm, the same list on all members.
 * @param[in] n       Number of members, at least 0.
 * @param[in] tag     0 to 2^31 - 1, the same on all members.
 * @param[out] group  The group, to be freed by caucus_group_free; CAUCUS_GROUP_NULL on a rank that
 *                    is not in the list, and after an error.
 * @return MPI_SUCCESS, or an error as described in @ref group. All members get the group, or all
 *         get an error.
 */
int caucus_group_create(MPI_Comm comm, const int members[], int n, int tag, caucus_group *group);

/**
 * As caucus_group_create, with half the messages, for lists that are known to be the same on all
 * members. Lists that differ are detected only where messages for different lists meet; otherwise
 * members wait for each other.
 *
 * Collective over the members. Returns when rank 0 of the group has called, and the members that
 * pass its message on.
 *
 * @param[in] comm    The parent, an attached intracommunicator.
 * @param[in] members @p n ranks of @p comm, the same list on all members.
 * @param[in] n       Number of members, at least 0.
 * @param[in] tag     0 to 2^31 - 1, the same on all members.
 * @param[out] group  The group, to be freed by caucus_group_free, or CAUCUS_GROUP_NULL.
 * @return MPI_SUCCESS, or an error as described in @ref group.
 */
int caucus_group_create_unchecked(MPI_Comm comm, const int members[], int n, int tag,
                                  caucus_group *group);

/**
 * As caucus_group_create, without any message now. What the group needs is exchanged by its first
 * operation, which must therefore be one in which all members take part.
 *
 * Local, O(n). Lists that differ are not detected: the first operation then waits, as a collective
 * of MPI does if some ranks do not call it. There is no tag: groups of the same list are told apart
 * by the order in which they are made, so one thread must make all of them.
 *
 * @param[in] comm    The parent, an attached intracommunicator.
 * @param[in] members @p n ranks of @p comm, the same list on all members.
 * @param[in] n       Number of members, at least 0.
 * @param[out] group  The group, to be freed by caucus_group_free, or CAUCUS_GROUP_NULL.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM, on this rank only.
 */
int caucus_group_create_lazy(MPI_Comm comm, const int members[], int n, caucus_group *group);

/**
 * Makes a group of the ranks first, first + stride, first + 2 stride, ... up to last, without any
 * message now, as caucus_group_create_lazy.
 *
 * Local, O(1) but for 4 bytes for each member (above). Groups of the same range are told apart by
 * the order in which they are made, so one thread must make all of them.
 *
 * @param[in] comm    The parent, an attached intracommunicator.
 * @param[in] first   Rank in @p comm of the group's rank 0.
 * @param[in] last    Limit of the range, a rank in @p comm. As in MPI_Group_range_incl, it need not
 *                    be a member.
 * @param[in] stride  Not 0; negative for descending ranks.
 * @param[out] group  The group, to be freed by caucus_group_free, or CAUCUS_GROUP_NULL.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM, on this rank only.
 */
int caucus_group_create_range(MPI_Comm comm, int first, int last, int stride, caucus_group *group);

/**
 * Makes a group of all ranks of a communicator, in its order, without any message now, as
 * caucus_group_create_range.
 *
 * Local, O(1) but for 4 bytes for each member (above).
 *
 * @param[in] comm    The parent, an attached intracommunicator.
 * @param[out] group  The group, to be freed by caucus_group_free.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM, on this rank only.
 */
int caucus_group_from_comm(MPI_Comm comm, caucus_group *group);

/**
 * Makes a group of some members of a group, as caucus_group_create does of some ranks of a
 * communicator. The parent of the new group is the communicator that the old one was made of, and
 * the old group may be freed at once.
 *
 * Collective over the members of the new group.
 *
 * @param[in] parent  A group.
 * @param[in] members @p n ranks of @p parent, the same list on all members of the new group.
 * @param[in] n       Number of members, at least 0.
 * @param[in] tag     0 to 2^31 - 1, the same on all members.
 * @param[out] group  The group, to be freed by caucus_group_free; CAUCUS_GROUP_NULL on a rank that
 *                    is not in the list, and after an error.
 * @return MPI_SUCCESS, or an error as described in @ref group.
 */
int caucus_group_create_within(caucus_group parent, const int members[], int n, int tag,
                               caucus_group *group);

/**
 * The nonblocking form of caucus_group_create.
 *
 * @param[in] comm     The parent, an attached intracommunicator.
 * @param[in] members  @p n ranks of @p comm, the same list on all members. May be reused when the
 *                     call returns.
 * @param[in] n        Number of members, at least 0.
 * @param[in] tag      0 to 2^31 - 1, the same on all members.
 * @param[out] group   Set to the group when @p request completes; must stay where it is until then.
 * @param[out] request The request; CAUCUS_REQUEST_NULL on a rank that is not in the list.
 * @return MPI_SUCCESS, or: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on this rank
 *         only. What concerns all members is the error of the request.
 */
int caucus_group_icreate(MPI_Comm comm, const int members[], int n, int tag, caucus_group *group,
                         caucus_request *request);

/**
 * Splits a group, as MPI_Comm_split: the members that pass the same color form a new group, ordered
 * by key, and by rank in the old group where keys are equal. The old group stays.
 *
 * @code
 * caucus_group_split(group, rank % 2, 0, &half);    // even and odd ranks
 * @endcode
 *
 * Collective over @p group. Cost: one allgather of 16 bytes for each member.
 *
 * @param[in] group     A group.
 * @param[in] color     At least 0, or MPI_UNDEFINED to be in no new group.
 * @param[in] key       Order in the new group.
 * @param[out] newgroup The new group, to be freed by caucus_group_free; CAUCUS_GROUP_NULL if
 *                      @p color is MPI_UNDEFINED, and after an error.
 * @return MPI_SUCCESS, or on all members: MPI_ERR_ARG (a negative color or a null pointer on some
 *         member, which the text names), MPI_ERR_NO_MEM (no group numbers left on some member), or
 *         an error of the allgather: a member without memory for it gets MPI_ERR_NO_MEM alone, and
 *         the others wait for it, until CAUCUS_TIMEOUT.
 */
int caucus_group_split(caucus_group group, int color, int key, caucus_group *newgroup);

/**
 * The nonblocking form of caucus_group_split.
 *
 * @param[in] group     A group.
 * @param[in] color     At least 0, or MPI_UNDEFINED to be in no new group.
 * @param[in] key       Order in the new group.
 * @param[out] newgroup Set to the new group when @p request completes; must stay where it is until
 *                      then.
 * @param[out] request  The request.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG (CAUCUS_GROUP_NULL), MPI_ERR_REQUEST, MPI_ERR_NO_MEM, on
 *         this rank only. What concerns all members is the error of the request.
 */
int caucus_group_isplit(caucus_group group, int color, int key, caucus_group *newgroup,
                        caucus_request *request);

/**
 * Makes a group of those members of a group that stay when others leave, in their old order,
 * without any message now, as caucus_group_create_lazy. The old group stays and is freed by each
 * member.
 *
 * Called by all members that stay, with the same list. Those that leave need not call; if they do,
 * they get CAUCUS_GROUP_NULL. Local, O(n).
 *
 * @param[in] group   A group.
 * @param[in] leaving @p n ranks of @p group.
 * @param[in] n       How many leave, at least 0.
 * @param[out] rest   The group of those that stay, to be freed by caucus_group_free.
 * @return MPI_SUCCESS, or: MPI_ERR_ARG, MPI_ERR_NO_MEM, on this rank only.
 */
int caucus_group_shrink(caucus_group group, const int leaving[], int n, caucus_group *rest);

/**
 * Tells the rank of the calling process in a group. Local; any thread.
 *
 * @param[in] group A group.
 * @param[out] rank From 0 to its size minus 1.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_GROUP_NULL or a null pointer).
 */
int caucus_group_rank(caucus_group group, int *rank);

/**
 * Tells how many members a group has. Local; any thread.
 *
 * @param[in] group A group.
 * @param[out] size Number of members, at least 1.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_GROUP_NULL or a null pointer).
 */
int caucus_group_size(caucus_group group, int *size);

/**
 * Tells which ranks of the parent communicator the members of a group are. Local; any thread. O(n).
 *
 * @param[in] group    A group.
 * @param[out] members Room for one entry for each member. Entry i is the rank in the parent
 *                     communicator of the group's rank i, also if the group was made of a group.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (CAUCUS_GROUP_NULL or a null pointer).
 */
int caucus_group_members(caucus_group group, int members[]);

/**
 * Frees this rank's handle of a group. No operation of this rank on the group may be pending in
 * another call; requests that are left keep what they need until they are freed.
 *
 * Local: members may free at different times, and in any order. May send a message, and does not
 * wait for any.
 *
 * @param[in,out] group The group; becomes CAUCUS_GROUP_NULL.
 * @return MPI_SUCCESS, or MPI_ERR_ARG (a null pointer or CAUCUS_GROUP_NULL).
 */
int caucus_group_free(caucus_group *group);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
