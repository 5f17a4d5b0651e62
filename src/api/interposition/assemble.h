/* SPDX-License-Identifier: BSD-3-Clause */
/* All that make a collective call of MPI come together before it, while requests of ours move on:
 * then none of them waits within MPI for one that waits for what the others are to pass on. Where a
 * communicator is at hand, a nonblocking barrier on it does that. Those of windows, files and
 * groups, which interposition.h lets assemble, send messages (meeting.h). Two groups of two worlds
 * know nothing of each other. */
#ifndef CAUCUS_API_INTERPOSITION_ASSEMBLE_H
#define CAUCUS_API_INTERPOSITION_ASSEMBLE_H

#include <mpi.h>
#include <stdbool.h>

void caucus_assemble_window(MPI_Win window);
void caucus_assemble_file(MPI_File file);
void caucus_assemble_group(MPI_Group group, const char *words);
void caucus_assemble_groups(MPI_Group local, MPI_Group remote, const char *words);

/* By all of comm, of whom only the leader does anything. */
void caucus_assemble_leaders(MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader);

/* MPI_Comm_create_group under the drop-in. The program attaches nothing, and members alone cannot;
 * but MPI_COMM_WORLD is attached, and every communicator of its processes has all of its members
 * there. So they meet and create over MPI_COMM_WORLD's private communicators, whatever the parent
 * is. All members decide alike, without a message:
 *
 *   no process has several threads    ours: each of them makes its calls one after the other, in an
 *                                     order that fits with the others'
 *   threads                           ours where the communicator has a number (communicator_id.h):
 * the same tag may be in use on several of them at a time, so members meet by both other
 * communicators, and groups with processes of another world    left to MPI */

/* False for a call that is left to MPI. Counts it; interposition.h's leave comes afterwards in any
 * case.
 */
bool caucus_mixed_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made, int *code);

#endif
