/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group under the drop-in. The program attaches nothing, and members alone cannot;
 * but MPI_COMM_WORLD is attached, and every communicator of its processes has all of its members
 * there. So they meet and create over MPI_COMM_WORLD's private communicators, whatever the parent
 * is. All members decide alike, without a message:
 *
 *   no process has several threads    ours: each of them makes its calls one after the other, in an
 *                                     order that fits with the others'
 *   threads                           ours where the communicator has a number (lineage.h): the
 * same tag may be in use on several of them at a time, so members meet by both other communicators,
 * and groups with processes of another world    left to MPI */
#ifndef CAUCUS_API_MIXED_CREATE_GROUP_H
#define CAUCUS_API_MIXED_CREATE_GROUP_H

#include <mpi.h>
#include <stdbool.h>

/* False for a call that is left to MPI. Counts it; passage.h's leave comes afterwards in any case.
 */
bool caucus_mixed_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made, int *code);

#endif
