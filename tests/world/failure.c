/* SPDX-License-Identifier: BSD-3-Clause */
/* Deaths, as MPI's extension for them (ULFM) has it: who knows of which, acknowledged on which
 * communicator. */
#include "world.h"

#include <string.h>

static bool knows[MOST_PROCESSES][MOST_PROCESSES];

bool death_is_known(int observer, int dead) {
    return processes[dead].dead && knows[observer][dead];
}

bool deaths_spread(void) {
    int open = 0, chosen;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && open == 0)
            return false;
        chosen = pass == 1 ? draw(open) : -1;
        for (int d = 0; d < settings.ranks; d++)
            for (int o = 0; o < settings.ranks && processes[d].dead; o++) {
                if (processes[o].dead || knows[o][d])
                    continue;
                if (pass == 0)
                    open++;
                else if (chosen-- == 0) {
                    knows[o][d] = true;
                    note_event("rank %d learns that rank %d died", o, d);
                    happened();
                    return true;
                }
            }
    }
    return false;
}

static int count_known(const struct comm *comm) {
    int count = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < comm->context->size[side]; i++)
            count += death_is_known(comm->process->rank, comm->context->members[side][i]);
    return count;
}

bool comm_has_dead(const struct comm *comm) {
    return count_known(comm) > 0;
}

bool comm_has_unacknowledged(const struct comm *comm) {
    return count_known(comm) > comm->acknowledged;
}

int worldX_Comm_failure_ack(MPI_Comm handle) {
    struct comm *comm = comm_of(handle, "MPIX_Comm_failure_ack");
    if (!comm)
        return comm_error(NULL, MPI_ERR_COMM);
    choose("MPIX_Comm_failure_ack");
    if (comm->acknowledged != count_known(comm))
        happened();
    comm->acknowledged = count_known(comm);
    return MPI_SUCCESS;
}

static int failed_group(struct comm *comm, MPI_Group *made) {
    int dead[MOST_PROCESSES], count = 0, size = comm->context->size[comm->side];
    for (int i = 0; i < size; i++)
        if (death_is_known(comm->process->rank, comm->context->members[comm->side][i]))
            dead[count++] = comm->context->members[comm->side][i];
    struct group *group = group_new(count);
    memcpy(group->members, dead, (size_t)count * sizeof *dead);
    *made = count > 0 ? (MPI_Group)(void *)group : MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}

int worldX_Comm_get_failed(MPI_Comm handle, MPI_Group *made) {
    struct comm *comm = comm_of(handle, "MPIX_Comm_get_failed");
    return comm ? failed_group(comm, made) : comm_error(NULL, MPI_ERR_COMM);
}

int worldX_Comm_failure_get_acked(MPI_Comm handle, MPI_Group *made) {
    return worldX_Comm_get_failed(handle, made);
}

int worldX_Comm_revoke(MPI_Comm handle) {
    struct comm *comm = comm_of(handle, "MPIX_Comm_revoke");
    if (!comm)
        return comm_error(NULL, MPI_ERR_COMM);
    comm->context->revoked = true;
    happened();
    return MPI_SUCCESS;
}

int worldX_Comm_is_revoked(MPI_Comm handle, int *flag) {
    struct comm *comm = comm_of(handle, "MPIX_Comm_is_revoked");
    if (!comm)
        return comm_error(NULL, MPI_ERR_COMM);
    *flag = comm->context->revoked;
    return MPI_SUCCESS;
}
