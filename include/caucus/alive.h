/* SPDX-License-Identifier: BSD-3-Clause */
/* After processes have died: the living members of a list find each other over a communicator that
 * has dead ranks, and agree on one light group (caucus/group.h), on which every collective and
 * messages work. Nobody else takes part, and no new communicator of MPI's is made.
 *
 * Who must call: all living members of the list, with the same list, and nobody else. Calls with
 * the same list are told apart by their order, as MPI has it for collectives; a thread calls by
 * itself where lists share ranks. A rank that is not in its own list gets CAUCUS_GROUP_NULL and
 * success, without a message. The communicator must have been attached (caucus_comm_attach) before
 * anybody died, since that is collective.
 *
 * What is agreed on. The group has all members of the list, in its order, that were alive when it
 * was fixed; who dies later may be in it. All living members get this group, or all get an error:
 *
 *   MPI_ERR_OTHER    members that are not known to be dead did not come within the timeout; the
 *                    text names them, as ranks of the communicator. A shorter list may be tried at
 *                    once; who comes late with the old list gets this same error.
 *   MPI_ERR_ARG      lists of members differ. Found where they meet; lists that have too little in
 *                    common end by the timeout. Nobody has a group whose list is not his own. Who
 *                    had another list is one call behind with the right one: its first call with
 *                    that gets this same error, its second one meets the others.
 *   MPI_ERR_PENDING  in doubt; see below.
 *   MPI_ERR_INTERN   others hold this process for dead, or MPI failed.
 *
 * Found before any message, on the rank that errs: MPI_ERR_COMM (null, two groups, not attached),
 * MPI_ERR_ARG (null pointers, a negative n, a rank that is not in comm or twice in the list, a
 * timeout that is not positive and finite), MPI_ERR_NO_MEM (no more numbers of groups). Errors are
 * raised with the handler of comm.
 *
 * Whether deaths are told. Where MPI tells of deaths (Open MPI 5 with mpiexec --with-ft ulfm;
 * caucus_failures_detected), the above is certain, whatever dies at whatever moment, as long as
 * what MPI tells is true and members that have returned come back to Caucus: whoever has the
 * outcome helps those whom a dead member left without it, in every call that waits and when the
 * communicator is freed. A call lasts as long as it takes MPI to tell of deaths, and `timeout`
 * seconds at most for members that never come, anew after each death of the first living member.
 *
 * Where MPI does not tell of deaths there is nothing but time, and less is certain. A dead member
 * looks like a late one, so any death, and any member that is slower than the timeout, makes the
 * call fail: leave out those who are named, and try again. A member that had agreed to a group and
 * then hears nothing for `timeout` seconds gets MPI_ERR_PENDING: it is in doubt, for others may
 * have the group or an error. It takes no part in that group, nor in later calls with the same
 * list. Still no two members have different groups out of one call, and none has a group where
 * another one that lives has an error. Two parts of a list may each form a group of their own by
 * shorter lists: where that must not be, accept a group only if it has more than half of the list.
 *
 * timeout is in seconds and the same on all members, or nearly so.
 *
 * Cost: where nobody is dead exactly 4 (n - 1) messages of 57 bytes, in 4 log2 n hops, and half as
 * many later that nobody waits for; O(n) memory until then, afterwards 40 bytes for each list.
 * Messages name the dead, in n / 8 bytes at most.
 *
 * The other calls that make groups, and communicators out of them (caucus/group.h,
 * caucus/group_comm.h), and the first use of a group made without a message, do not agree on
 * deaths, but hear of them where they are told: whoever waits for a member that is dead, or has
 * asked one to be taken in, gets MPIX_ERR_PROC_FAILED and words that name it, while others may have
 * the group. Elsewhere that ends by CAUCUS_TIMEOUT, which must be set for that; MPI's own calls,
 * once all have met, by nothing.
 *
 * A group that loses members has collectives that fail or, with CAUCUS_TIMEOUT, end in an error;
 * its living members call caucus_group_shrink_alive. Its number is not used again. Open MPI's
 * MPI_Finalize (5.0.11) may wait for ever after a death: end by _exit or MPI_Abort.
 *
 * Source: our own protocol, with its exhaustive search: docs/development/groups.md. */
#ifndef CAUCUS_ALIVE_H
#define CAUCUS_ALIVE_H

#include <caucus/group_object.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The group of those in the list that live. */
int caucus_group_create_alive(MPI_Comm comm, const int members[], int n, double timeout,
                              caucus_group *group);

/* The same for the members of a group, which remains as it is, the caller's to free. Called by all
 * its living members. */
int caucus_group_shrink_alive(caucus_group group, double timeout, caucus_group *newgroup);

/* A communicator of MPI's own of all members of a group, for windows, files and other libraries,
 * over a parent with dead ranks: caucus_group_to_comm (caucus/group_comm.h) fails there on Open
 * MPI. Called by all members, right after the group was made; the members agree that all live and
 * have come, MPI makes the communicator (MPI_Comm_create_from_group), and they agree that all have
 * it. So all get it, or all an error: MPI_ERR_OTHER where one has died (shrink the group) or does
 * not come within timeout seconds, MPI_ERR_UNSUPPORTED_OPERATION without that function (MPI-4), the
 * group still serves then. What can't be mended is a member's death while MPI's own call runs:
 * Open MPI 5.0.11 crashes or hangs in it. A thread watches it, and ends this process with words if
 * it does not come back within timeout seconds; nothing less than the process can be saved, which
 * is why a light group is what you get without asking for this. A communicator that not all have is
 * not freed where deaths are told. Dead ranks outside the group do no harm. */
int caucus_group_to_comm_alive(caucus_group group, double timeout, MPI_Comm *newcomm);

/* 1 where MPI tells of deaths in this run, else 0. Local. */
int caucus_failures_detected(int *detected);

#ifdef __cplusplus
}
#endif

#endif
