/* SPDX-License-Identifier: BSD-3-Clause */
/* All that make a collective call of MPI come together before it, while requests of ours move on:
 * then none of them waits within MPI for one that waits for what the others are to pass on. Where a
 * communicator is at hand, a nonblocking barrier on it does that. Those of windows, files and
 * groups, which passage.h lets assemble, write letters over what MPI_COMM_WORLD is attached by, if
 * an init that all of them took part in says so (cover.h). Two groups of two worlds know nothing of
 * each other. */
#ifndef CAUCUS_API_MIXED_ASSEMBLE_H
#define CAUCUS_API_MIXED_ASSEMBLE_H

#include <mpi.h>

void caucus_assemble_window(MPI_Win window);
void caucus_assemble_file(MPI_File file);
void caucus_assemble_group(MPI_Group group, const char *words);
void caucus_assemble_groups(MPI_Group local, MPI_Group remote, const char *words);

/* By all of comm, of whom only the leader does anything. */
void caucus_assemble_leaders(MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader);

#endif
