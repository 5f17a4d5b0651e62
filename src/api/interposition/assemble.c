/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/assemble.h"

#include "api/interposition/meeting.h"

void caucus_assemble_group(MPI_Group group, const char *words) {
    if (group != MPI_GROUP_NULL && words)
        caucus_meet(group, words);
}

void caucus_assemble_window(MPI_Win window) {
    MPI_Group group;
    if (window == MPI_WIN_NULL || PMPI_Win_get_group(window, &group) != MPI_SUCCESS)
        return;
    caucus_meet_again(group, "a window");
}

void caucus_assemble_file(MPI_File file) {
    MPI_Group group;
    if (file == MPI_FILE_NULL || PMPI_File_get_group(file, &group) != MPI_SUCCESS)
        return;
    caucus_meet_again(group, "a file");
}

static void free_group(MPI_Group *group) {
    if (*group != MPI_GROUP_EMPTY)
        PMPI_Group_free(group);
}

/* Both groups know both: so that all have the same list, the world's order is taken. */
void caucus_assemble_groups(MPI_Group local, MPI_Group remote, const char *words) {
    MPI_Group both, world, sorted;
    if (local == MPI_GROUP_NULL || remote == MPI_GROUP_NULL || !words ||
        PMPI_Group_union(local, remote, &both) != MPI_SUCCESS)
        return;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        if (PMPI_Group_intersection(world, both, &sorted) == MPI_SUCCESS) {
            int known, all;
            PMPI_Group_size(sorted, &known);
            PMPI_Group_size(both, &all);
            if (known == all)
                caucus_meet(sorted, words);
            free_group(&sorted);
        }
        PMPI_Group_free(&world);
    }
    free_group(&both);
}

void caucus_assemble_leaders(MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader) {
    MPI_Group all, own, other;
    int rank, me, inter;
    if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || rank != leader || peers == MPI_COMM_NULL ||
        PMPI_Comm_test_inter(peers, &inter) != MPI_SUCCESS || inter ||
        PMPI_Comm_rank(peers, &me) != MPI_SUCCESS || me == remote_leader)
        return;
    PMPI_Comm_group(peers, &all);
    PMPI_Group_incl(all, 1, &me, &own);
    if (PMPI_Group_incl(all, 1, &remote_leader, &other) == MPI_SUCCESS) {
        caucus_assemble_groups(own, other, "leaders");
        PMPI_Group_free(&other);
    }
    PMPI_Group_free(&own);
    PMPI_Group_free(&all);
}
