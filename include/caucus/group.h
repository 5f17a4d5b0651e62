/* SPDX-License-Identifier: BSD-3-Clause */
/* Light groups: some ranks of a communicator, who form a group by themselves in microseconds, while
 * all others neither take part nor know of it, and use it for collectives and messages.
 *
 * A group is no communicator of MPI's. It needs none of MPI's few context ids, and has its own tags
 * on the private communicator that its parent was attached with (caucus/comm.h), so that no message
 * of one group, of another one that overlaps it, of the parent or of the user's can ever meet.
 * The parent must be attached before: caucus_comm_attach is collective, and groups are not.
 *
 * Who must call: all members, and nobody else; a rank that is not in its own list gets
 * CAUCUS_GROUP_NULL and success, without a message. Groups that share two ranks are made in the
 * same order on both of them, or with different tags, as MPI has it for MPI_Comm_create_group; tags
 * are 0 to 2^31 - 1 and belong to these calls alone. Groups made by several threads at a time need
 * different tags where they share ranks.
 *
 * Arguments: lists have n ranks of the parent, in the order that they are to have in the group;
 * they belong to the caller and are copied. Ranges are first, first + stride, ... not beyond last.
 *
 * Functions with an i do not wait: a request of caucus/request.h completes when the group is ready,
 * or fails with the error that all get; until then the group's handle is not set, arguments other
 * than the handle (and instead) may be used for something else, and the request can be neither
 * freed nor cancelled. Several may be pending at a time. On a rank that is not in its own list the
 * request is CAUCUS_REQUEST_NULL.
 *
 * Errors are raised with the parent communicator's handler (MPI_COMM_SELF's, where that is freed).
 * Found before any message, on the rank that errs: MPI_ERR_COMM (null, two groups, not attached),
 * MPI_ERR_ARG (null pointers, a negative n or tag, stride 0, a rank that the parent does not have
 * or that is twice in a list). Where lists of members differ, every member of any of them that
 * calls gets MPI_ERR_ARG; with CAUCUS_TIMEOUT set, a member that does not come is named
 * (MPI_ERR_OTHER). After either, these ranks use another tag, for they may have counted differently
 * how often they met with this one. A member without memory for what a group takes to begin with
 * gets MPI_ERR_NO_MEM, the others MPI_ERR_ARG, which names it. Where MPI tells of deaths
 * (caucus/alive.h), who waits for a member that is dead gets MPIX_ERR_PROC_FAILED, and its rank in
 * words.
 *
 * Limits: half of the tags that MPI_TAG_UB allows are shared out among all ranks of the parent, 64
 * to 256 for a group, whose first member pays. So a rank can be the first of so many groups at a
 * time: 131,072 where 8 ranks have 2^28 tags (MPICH), 4,096 of 1,024 ranks, 1 of 255 where MPI
 * has no more tags than it must. Beyond that MPI_ERR_NO_MEM says so, and the others that are making
 * the group get MPI_ERR_ARG, which names that rank; a group made without a message fails at its
 * first use, for good and with MPI_ERR_NO_MEM everywhere. A number is used again when all members
 * have freed the group; messages about that are passed on whenever members call any function of
 * this header.
 *
 * Cost: caucus_group_create takes 2 (n - 1) messages of 48 bytes, in 2 hops up to 64 members, else
 * 2 log2 n, and O(n) time
 * and memory (about 100 bytes a member while it lasts, then 12); caucus_group_create_unchecked half
 * of the messages, but who has a wrong list learns of it only where a message meets another list.
 * Ranges take no message and O(1): what is needed comes with the first operation on the group (n -
 * 1 messages), which must be one that all its members take part in. Blocking collectives of a group
 * go by messages alone until there were 64 (CAUCUS_GROUP_CALLS); the next one, or the first init,
 * reserves what collectives need, node memory too (4 MiB a node and some 30 bytes a member), which
 * takes milliseconds.
 *
 * Source: J. Dinan, S. Krishnamoorthy, P. Balaji, J. Hammond, M. Krishnan, V. Tipparaju and
 * A. Vishnu, Noncollective communicator creation in MPI, EuroMPI 2011, for what groups are for. The
 * protocol is our own: docs/development/groups.md. */
#ifndef CAUCUS_GROUP_H
#define CAUCUS_GROUP_H

#include <caucus/group_functions.h>
#include <caucus/group_object.h>
#include <caucus/request.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A group of the ranks in a list. All members get the group, or all get an error. */
int caucus_group_create(MPI_Comm comm, const int members[], int n, int tag, caucus_group *group);

/* The same in half the messages, for lists that are known to be the same. */
int caucus_group_create_unchecked(MPI_Comm comm, const int members[], int n, int tag,
                                  caucus_group *group);

/* The same without a message: what is needed comes with the first operation on the group, as with a
 * range. Local, O(n). Lists that differ are not found: that operation then waits, as one of MPI's
 * does that not all call. Without a tag, groups of the same list are told apart by their order:
 * they are made by one thread, and so are those of the same range. */
int caucus_group_create_lazy(MPI_Comm comm, const int members[], int n, caucus_group *group);

/* A group of a range, without a message. stride may be negative, not 0. */
int caucus_group_create_range(MPI_Comm comm, int first, int last, int stride, caucus_group *group);

/* A group of all ranks of comm, without a message. */
int caucus_group_from_comm(MPI_Comm comm, caucus_group *group);

/* A group of some members of a group; the list has ranks of that one. */
int caucus_group_create_within(caucus_group parent, const int members[], int n, int tag,
                               caucus_group *group);

/* As caucus_group_create, without waiting: *group is set when the request completes. */
int caucus_group_icreate(MPI_Comm comm, const int members[], int n, int tag, caucus_group *group,
                         caucus_request *request);

/* As MPI_Comm_split: members with the same color (MPI_UNDEFINED for none) are a new group, by their
 * keys. Collective over the group, by an allgather of 12 bytes a member on it. */
int caucus_group_split(caucus_group group, int color, int key, caucus_group *newgroup);
int caucus_group_isplit(caucus_group group, int color, int key, caucus_group *newgroup,
                        caucus_request *request);

/* Groups of one communicator become one, any number of them in a single step: its members are those
 * of the first group, then of the second, and so on. Called by all members of all of them; firsts
 * are the ranks in the communicator of the k groups' first members, in that order, and matter on
 * these alone: others may pass NULL and 0. What a group knows of itself is not asked again, so that
 * n members together take n + k - 2 messages, 2 log2 k + log2 n hops. The groups stay as they are,
 * and are freed by whoever holds them. Where the lists of firsts differ, or groups share a rank,
 * all get MPI_ERR_ARG. */
int caucus_group_merge(caucus_group group, const int firsts[], int k, int tag,
                       caucus_group *merged);
int caucus_group_imerge(caucus_group group, const int firsts[], int k, int tag,
                        caucus_group *merged, caucus_request *request);

/* A group takes in n ranks of the communicator that are not in it, as its last members, in the
 * order of joining, which matters on the group's first member alone. Its members call grow, the
 * others join, with the first member's rank in comm. As many messages as a merge of 1 + n groups;
 * the first member has one from and to each that joins. */
int caucus_group_grow(caucus_group group, const int joining[], int n, int tag, caucus_group *grown);
int caucus_group_igrow(caucus_group group, const int joining[], int n, int tag, caucus_group *grown,
                       caucus_request *request);
int caucus_group_join(MPI_Comm comm, int first, int tag, caucus_group *group);
int caucus_group_ijoin(MPI_Comm comm, int first, int tag, caucus_group *group,
                       caucus_request *request);

/* What is left of a group when n members, by their ranks in it, have left: without a message, as
 * with ranges. Called by those who stay, with the same list; those who leave get CAUCUS_GROUP_NULL,
 * and need not call. */
int caucus_group_shrink(caucus_group group, const int leaving[], int n, caucus_group *rest);

/* Merging with whoever has time to be asked. A group that asks has nothing to do but wait: all its
 * members call ask, and `first`, which matters on its first member, is the rank in the communicator
 * of another group's first member. That one looks at its leisure (poll: local, a look for
 * messages; at most `limit` of those who wait, by their ranks in the communicator), tells its own
 * group by whatever it says to it anyway, and all call take with some of those ranks, which matter
 * on the first member: its members and those of the groups in the order of askers are a
 * new group, in n + k - 1 messages for k groups taken and n members together. Or its first member
 * refuses. Then ask gives CAUCUS_GROUP_NULL and, if instead is not NULL, a rank that it may be
 * better to ask, or MPI_PROC_NULL.
 *
 * A group that waits for an answer takes in nobody, and poll and refuse are MPI_ERR_PENDING: of
 * those who ask it meanwhile it refuses the ones with a greater rank than its own first member's,
 * and lets the others wait, so that nobody waits in a ring. A group that was taken in refuses all
 * who ask it, and names who took it. Whoever is refused should poll before it asks again.
 *
 * A rank speaks for one group at a time with each tag: the one that it used last. An ask is
 * answered once. With CAUCUS_TIMEOUT set, one that has no answer by then is withdrawn: as soon as
 * the process that was asked calls any function of this header, ask is MPI_ERR_OTHER, or else the
 * answer, if there was one in that moment; so choose a time that covers how long others may be
 * busy. Take is MPI_ERR_ARG where one of its askers has withdrawn since poll; the others may be
 * taken by another call. Where nothing is heard for as long again, ask is given up, with
 * MPI_ERR_OTHER too: then that rank can be asked with this tag when it has answered
 * (MPI_ERR_PENDING before), and a take that it was in the midst of may name a group that is not
 * there. */
int caucus_group_ask(caucus_group group, int first, int tag, caucus_group *merged, int *instead);
int caucus_group_iask(caucus_group group, int first, int tag, caucus_group *merged, int *instead,
                      caucus_request *request);
int caucus_group_poll(caucus_group group, int tag, int limit, int askers[], int *count);
int caucus_group_take(caucus_group group, const int askers[], int k, int tag, caucus_group *merged);
int caucus_group_itake(caucus_group group, const int askers[], int k, int tag, caucus_group *merged,
                       caucus_request *request);
int caucus_group_refuse(caucus_group group, int asker, int tag);

/* This process's rank in the group, and how many there are. Local. */
int caucus_group_rank(caucus_group group, int *rank);
int caucus_group_size(caucus_group group, int *size);

/* The members' ranks in the communicator that the group was made of, size of them. Local. */
int caucus_group_members(caucus_group group, int members[]);

/* This rank is done with the group, which becomes CAUCUS_GROUP_NULL. Local, at any time when none
 * of its operations is pending; requests that are left keep it until they are freed. */
int caucus_group_free(caucus_group *group);

enum { CAUCUS_GROUP_TAGS = 16 }; /* of messages on a group: 0 to 15 */

/* Messages between members, as MPI has them: MPI_ANY_SOURCE and MPI_PROC_NULL, but no MPI_ANY_TAG.
 * A status has ranks and tags of the group. The nonblocking forms give a request of MPI's, whose
 * status caucus_group_status turns into that. When ranks outside of the group die, receiving from
 * MPI_ANY_SOURCE goes on; of a request of the nonblocking form, MPI says that it is pending
 * (MPIX_ERR_PROC_FAILED_PENDING). With MPICH up to 5.0.2 at least, a nonblocking receive from
 * MPI_ANY_SOURCE never completes if a message of a rank on another node had come before it was
 * started, as with MPI_Irecv; caucus_group_recv and receives from a named rank are not concerned.
 * Errors: MPI_ERR_RANK, MPI_ERR_TAG, MPI_ERR_COUNT, and what MPI finds. */
int caucus_group_send(const void *buffer, int count, MPI_Datatype datatype, int destination,
                      int tag, caucus_group group);
int caucus_group_recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                      caucus_group group, MPI_Status *status);
int caucus_group_isend(const void *buffer, int count, MPI_Datatype datatype, int destination,
                       int tag, caucus_group group, MPI_Request *request);
int caucus_group_irecv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                       caucus_group group, MPI_Request *request);
int caucus_group_status(caucus_group group, MPI_Status *status);

#ifdef __cplusplus
}
#endif

#endif
