/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: what makes communicators in a way of its own. The others are in
 * tools/mpi_functions.py. As in entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"

/* Called by some ranks of comm only. */
int PMPI_Comm_create_group(intptr_t comm, intptr_t group, int tag, void *made);

int MPI_Comm_create_group(intptr_t comm, intptr_t group, int tag, void *made) {
    int code;
    if (!caucus_forward_comm_create_group(comm, group, tag, made, &code))
        code = PMPI_Comm_create_group(comm, group, tag, made);
    caucus_forward_leave();
    return code;
}

/* Two groups come together, which only their leaders can tell each other. */
int PMPI_Intercomm_create(intptr_t comm, int leader, intptr_t peers, int remote_leader, int tag,
                          void *made);

int MPI_Intercomm_create(intptr_t comm, int leader, intptr_t peers, int remote_leader, int tag,
                         void *made) {
    caucus_forward_enter_leaders(comm, leader, peers, remote_leader);
    int code = PMPI_Intercomm_create(comm, leader, peers, remote_leader, tag, made);
    if (!code) {
        caucus_forward_derived(comm, made);
        caucus_forward_made(made, false);
    }
    caucus_forward_leave();
    return code;
}
