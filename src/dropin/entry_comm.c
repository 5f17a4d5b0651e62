/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: collective calls that make communicators. All of their ranks come together
 * first if others may wait for requests of ours meanwhile, and what has two groups is made ready
 * for collectives. As in entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"
#include "dropin_calls.h"

#define MAKES(name, parameters, ...)                                                               \
    int P##name parameters;                                                                        \
    int name parameters {                                                                          \
        caucus_forward_enter_other(comm);                                                          \
        int code = P##name(__VA_ARGS__);                                                           \
        if (!code) {                                                                               \
            caucus_forward_made(made, false);                                                      \
            caucus_forward_derived(comm, made);                                                    \
        }                                                                                          \
        caucus_forward_leave();                                                                    \
        return code;                                                                               \
    }

MAKES(MPI_Comm_dup, (intptr_t comm, void *made), comm, made)
MAKES(MPI_Comm_dup_with_info, (intptr_t comm, intptr_t info, void *made), comm, info, made)
MAKES(MPI_Comm_create, (intptr_t comm, intptr_t group, void *made), comm, group, made)
MAKES(MPI_Comm_split, (intptr_t comm, int color, int key, void *made), comm, color, key, made)
MAKES(MPI_Comm_split_type, (intptr_t comm, int type, int key, intptr_t info, void *made), comm,
      type, key, info, made)
MAKES(MPI_Intercomm_merge, (intptr_t comm, int high, void *made), comm, high, made)
MAKES(MPI_Intercomm_create,
      (intptr_t comm, int leader, intptr_t peers, int remote_leader, int tag, void *made), comm,
      leader, peers, remote_leader, tag, made)

/* Perhaps with processes of other worlds. */
#define MEETS(name, parameters, ...)                                                               \
    int P##name parameters;                                                                        \
    int name parameters {                                                                          \
        caucus_forward_enter_other(comm);                                                          \
        int code = P##name(__VA_ARGS__);                                                           \
        if (!code)                                                                                 \
            caucus_forward_made(made, true);                                                       \
        caucus_forward_leave();                                                                    \
        return code;                                                                               \
    }

MEETS(MPI_Comm_accept, (const char *port, intptr_t info, int root, intptr_t comm, void *made), port,
      info, root, comm, made)
MEETS(MPI_Comm_connect, (const char *port, intptr_t info, int root, intptr_t comm, void *made),
      port, info, root, comm, made)
MEETS(MPI_Comm_spawn,
      (const char *command, void *arguments, int count, intptr_t info, int root, intptr_t comm,
       void *made, int *codes),
      command, arguments, count, info, root, comm, made, codes)
MEETS(MPI_Comm_spawn_multiple,
      (int count, void *commands, void *arguments, const int *counts, const void *infos, int root,
       intptr_t comm, void *made, int *codes),
      count, commands, arguments, counts, infos, root, comm, made, codes)

/* Called by some ranks of comm only. */
int PMPI_Comm_create_group(intptr_t comm, intptr_t group, int tag, void *made);

int MPI_Comm_create_group(intptr_t comm, intptr_t group, int tag, void *made) {
    int code;
    if (!caucus_forward_comm_create_group(comm, group, tag, made, &code))
        code = PMPI_Comm_create_group(comm, group, tag, made);
    caucus_forward_leave();
    return code;
}

#if CAUCUS_DROPIN_HAS_INTERCOMM_OF_GROUPS
int PMPI_Intercomm_create_from_groups(intptr_t local, int leader, intptr_t remote,
                                      int remote_leader, const char *tag, intptr_t info,
                                      intptr_t handler, void *made);

int MPI_Intercomm_create_from_groups(intptr_t local, int leader, intptr_t remote, int remote_leader,
                                     const char *tag, intptr_t info, intptr_t handler, void *made) {
    int code = PMPI_Intercomm_create_from_groups(local, leader, remote, remote_leader, tag, info,
                                                 handler, made);
    if (!code)
        caucus_forward_made(made, false);
    return code;
}
#endif
