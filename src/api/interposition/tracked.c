/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/tracked.h"

#include "base/memory.h"
#include "run/support/keyval.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The groups of inits and of intercommunicators, none of which is within another. Used where one
 * thread at a time calls MPI. */
static struct {
    bool begun;
    MPI_Group *group;
    int count;
    intptr_t generation; /* grows with every group */
} tracked;

/* What is kept with a communicator: 2 * generation + whether it is within one. Once is
 * for ever. */
static struct caucus_keyval answers = CAUCUS_KEYVAL_DROPPED(NULL);

bool caucus_is_within(MPI_Group inner, MPI_Group outer) {
    MPI_Group rest;
    int size;
    if (PMPI_Group_difference(inner, outer, &rest) != MPI_SUCCESS)
        return false;
    PMPI_Group_size(rest, &size);
    if (rest != MPI_GROUP_EMPTY)
        PMPI_Group_free(&rest);
    return size == 0;
}

bool caucus_tracked_any(void) {
    return tracked.count > 0;
}

bool caucus_tracked_has_group(MPI_Group group) {
    for (int i = 0; i < tracked.count; i++)
        if (caucus_is_within(group, tracked.group[i]))
            return true;
    return false;
}

/* All processes of comm, of both groups if it has two. */
static bool group_of(MPI_Comm comm, MPI_Group *all) {
    MPI_Group own, remote;
    int inter;
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
        PMPI_Comm_group(comm, &own) != MPI_SUCCESS)
        return false;
    *all = own;
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

static bool find_out(MPI_Comm comm) {
    MPI_Group group;
    if (!group_of(comm, &group))
        return false;
    bool within = caucus_tracked_has_group(group);
    PMPI_Group_free(&group);
    return within;
}

void caucus_tracked_begin(void) {
    tracked.begun = true;
}

bool caucus_tracked_has(MPI_Comm comm) {
    if (tracked.count == 0 || comm == MPI_COMM_NULL)
        return false;
    intptr_t kept = (intptr_t)caucus_keyval_get(&answers, comm);
    if (kept % 2 != 0 || kept / 2 == tracked.generation)
        return kept % 2 != 0;
    bool has = find_out(comm);
    if (kept != 0)
        caucus_keyval_delete(&answers, comm);
    caucus_keyval_set(&answers, comm, (void *)(2 * tracked.generation + has));
    return has;
}

void caucus_tracked_add(MPI_Comm comm) {
    MPI_Group group;
    if (!tracked.begun || caucus_tracked_has(comm) || !group_of(comm, &group))
        return;
    MPI_Group *longer = realloc(tracked.group, (size_t)(tracked.count + 1) * sizeof *longer);
    if (!longer) {
        PMPI_Group_free(&group);
        return;
    }
    tracked.group = longer;
    tracked.group[tracked.count++] = group;
    tracked.generation++;
}

void caucus_tracked_end(void) {
    while (tracked.count > 0)
        PMPI_Group_free(&tracked.group[--tracked.count]);
    free(tracked.group);
    tracked.group = NULL;
}
