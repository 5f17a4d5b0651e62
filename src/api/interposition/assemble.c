/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/assemble.h"

#include "api/creation/create.h"
#include "api/interposition/interposition.h"
#include "run/creation/room.h"
#include "run/group/rendezvous.h"
#include "run/peers/agree.h"

#include <stdlib.h>

/* What messages are about: no communicator has this number. */
static uint64_t topic_of(const char *words) {
    const struct caucus_item item = {"words", CAUCUS_ITEM_TEXT, words, 0};
    return caucus_agree_digest(1, &item);
}

static void meet(struct caucus_attachment *world, int members, int *ranks, uint64_t topic) {
    const struct caucus_rendezvous_call call = {
        .name = "a meeting before MPI makes something for a group",
        .topic = topic,
        .ranks = ranks,
        .count = members};
    struct caucus_rendezvous_outcome outcome;
    caucus_rendezvous_meet(world, &call, &outcome);
}

/* Where one has no memory for its part, the others hear that, and all go on to MPI. */
static void come_together(MPI_Group group, const char *words) {
    struct caucus_attachment *world = caucus_attached(MPI_COMM_WORLD);
    int members = 0, me = MPI_UNDEFINED, stranger, *ranks;
    if (!world || !world->creation || !caucus_interposition_assembles(group))
        return;
    PMPI_Group_size(group, &members);
    PMPI_Group_rank(group, &me);
    if (members < 2 || me == MPI_UNDEFINED)
        return;
    int failed = caucus_creation_ranks(group, world->creation->group, &ranks, &stranger);
    if (failed && caucus_creation_stranger(group, world->creation->group, &stranger))
        stranger = 0;
    if (failed && stranger < 0)
        caucus_creation_decline(group, world, topic_of(words), 0);
    else if (stranger < 0)
        meet(world, members, ranks, topic_of(words));
    free(ranks);
}

void caucus_assemble_group(MPI_Group group, const char *words) {
    if (group != MPI_GROUP_NULL && words)
        come_together(group, words);
}

void caucus_assemble_window(MPI_Win window) {
    MPI_Group group;
    if (window == MPI_WIN_NULL || PMPI_Win_get_group(window, &group) != MPI_SUCCESS)
        return;
    come_together(group, "a window");
    PMPI_Group_free(&group);
}

void caucus_assemble_file(MPI_File file) {
    MPI_Group group;
    if (file == MPI_FILE_NULL || PMPI_File_get_group(file, &group) != MPI_SUCCESS)
        return;
    come_together(group, "a file");
    PMPI_Group_free(&group);
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
                come_together(sorted, words);
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
