/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/tracked.h"

#include "api/interposition/served.h"
#include "base/memory.h"
#include "run/support/keyval.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct entry {
    MPI_Group group;
    struct entry *next;
};

/* The groups of inits and of intercommunicators, the last first, none of which is within an earlier
 * one. Used where one thread at a time calls MPI. */
static struct {
    bool begun;
    struct entry *first;
    struct entry *next;  /* to be added, in advance; MPI_GROUP_NULL: of nothing yet */
    intptr_t generation; /* grows with every group */
} tracked;

/* What is kept with a communicator: 2 * generation + whether it is within one. Once is
 * for ever. */
static struct caucus_keyval answers = CAUCUS_KEYVAL_DROPPED(NULL);

bool caucus_is_within(MPI_Group inner, MPI_Group outer) {
    MPI_Group rest;
    int size = 0, room = 0;
    if (inner == outer) /* Open MPI 5.0.11 gives the very group of a communicator */
        return true;
    PMPI_Group_size(inner, &size);
    PMPI_Group_size(outer, &room);
    if (size > room)
        return false;
    if (PMPI_Group_difference(inner, outer, &rest) != MPI_SUCCESS)
        return false;
    PMPI_Group_size(rest, &size);
    if (rest != MPI_GROUP_EMPTY)
        PMPI_Group_free(&rest);
    return size == 0;
}

bool caucus_tracked_any(void) {
    return tracked.first != NULL;
}

intptr_t caucus_tracked_generation(void) {
    return tracked.generation;
}

bool caucus_tracked_has_group(MPI_Group group) {
    for (const struct entry *entry = tracked.first; entry; entry = entry->next)
        if (caucus_is_within(group, entry->group))
            return true;
    return false;
}

/* All processes of comm, of both groups if it has two. */
static bool group_of(MPI_Comm comm, MPI_Group *all) {
    MPI_Group own, remote;
    int inter;
    *all = MPI_GROUP_NULL;
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
        PMPI_Comm_group(comm, inter ? &own : all) != MPI_SUCCESS)
        return false;
    if (!inter)
        return true;
    bool good = PMPI_Comm_remote_group(comm, &remote) == MPI_SUCCESS;
    if (good) {
        good = PMPI_Group_union(own, remote, all) == MPI_SUCCESS;
        PMPI_Group_free(&remote);
    }
    PMPI_Group_free(&own);
    return good;
}

/* Asks for no walk through groups: served.h says what that takes. */
static bool is_kept(MPI_Comm comm) {
    return (intptr_t)caucus_keyval_get(&answers, comm) % 2 != 0;
}

static bool find_out(MPI_Comm comm) {
    MPI_Group group;
    if (is_kept(MPI_COMM_WORLD) && caucus_is_known_within_world(comm))
        return true;
    if (!group_of(comm, &group))
        return false;
    bool within = caucus_tracked_has_group(group);
    PMPI_Group_free(&group);
    return within;
}

static bool make_next(void) {
    if (!tracked.next)
        tracked.next = caucus_array(1, sizeof *tracked.next);
    if (tracked.next)
        tracked.next->group = MPI_GROUP_NULL;
    return tracked.next;
}

void caucus_tracked_begin(void) {
    tracked.begun = true;
}

static void keep(MPI_Comm comm, bool has) {
    caucus_keyval_delete(&answers, comm);
    caucus_keyval_set(&answers, comm, (void *)(2 * tracked.generation + has));
}

bool caucus_tracked_has(MPI_Comm comm) {
    if (!tracked.first || comm == MPI_COMM_NULL)
        return false;
    intptr_t kept = (intptr_t)caucus_keyval_get(&answers, comm);
    if (kept % 2 != 0 || kept / 2 == tracked.generation)
        return kept % 2 != 0;
    bool has = find_out(comm);
    keep(comm, has);
    return has;
}

void caucus_tracked_derive(MPI_Comm parent, MPI_Comm made) {
    if (tracked.first && is_kept(parent))
        keep(made, true);
}

bool caucus_tracked_prepare(MPI_Comm comm) {
    return !tracked.begun || caucus_tracked_has(comm) ||
           (make_next() && group_of(comm, &tracked.next->group));
}

static bool is_whole_world(MPI_Comm comm) {
    int size = 0, all = 0;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(MPI_COMM_WORLD, &all);
    return size == all && caucus_is_known_within_world(comm);
}

void caucus_tracked_settle(MPI_Comm comm, bool made) {
    struct entry *next = tracked.next;
    if (!next || next->group == MPI_GROUP_NULL)
        return;
    if (!made) {
        PMPI_Group_free(&next->group);
        return;
    }
    next->next = tracked.first;
    tracked.first = next;
    tracked.generation++;
    keep(comm, true);
    if (is_whole_world(comm))
        keep(MPI_COMM_WORLD, true);
    tracked.next = NULL;
    make_next();
}

void caucus_tracked_add(MPI_Comm comm) {
    caucus_tracked_settle(comm, caucus_tracked_prepare(comm));
}

void caucus_tracked_end(void) {
    free(tracked.next);
    tracked.next = NULL;
    while (tracked.first) {
        struct entry *gone = tracked.first;
        tracked.first = gone->next;
        PMPI_Group_free(&gone->group);
        free(gone);
    }
}
