/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/mixed/cover.h"

#include "base/memory.h"
#include "run/keyval.h"

#include <stdint.h>
#include <stdlib.h>

/* The groups of inits and of intercommunicators, none of which is within another. Used where one
 * thread at a time calls MPI. */
static struct {
    bool begun;
    MPI_Group *group;
    int count;
    intptr_t generation; /* grows with every group */
} cover;

/* What is kept with a communicator: 2 * generation + whether it was covered. Covered once is
 * covered for ever. */
static int copy_answer(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag);
static int drop_answer(MPI_Comm comm, int keyval, void *value, void *extra);
static struct caucus_keyval answers = CAUCUS_KEYVAL(copy_answer, drop_answer);

static int copy_answer(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag) {
    (void)comm, (void)keyval, (void)extra, (void)value, (void)copy;
    *flag = 0;
    return MPI_SUCCESS;
}

static int drop_answer(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    caucus_keyval_deleted(&answers);
    return MPI_SUCCESS;
}

/* Whether inner's processes are all in outer. */
static bool is_within(MPI_Group inner, MPI_Group outer) {
    MPI_Group rest;
    int size;
    if (PMPI_Group_difference(inner, outer, &rest) != MPI_SUCCESS)
        return false;
    PMPI_Group_size(rest, &size);
    if (rest != MPI_GROUP_EMPTY)
        PMPI_Group_free(&rest);
    return size == 0;
}

bool caucus_cover_has_any(void) {
    return cover.count > 0;
}

bool caucus_cover_has_group(MPI_Group group) {
    for (int i = 0; i < cover.count; i++)
        if (is_within(group, cover.group[i]))
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
    bool within = caucus_cover_has_group(group);
    PMPI_Group_free(&group);
    return within;
}

void caucus_cover_begin(void) {
    cover.begun = true;
}

bool caucus_cover_has(MPI_Comm comm) {
    if (cover.count == 0 || comm == MPI_COMM_NULL)
        return false;
    intptr_t kept = (intptr_t)caucus_keyval_get(&answers, comm);
    if (kept % 2 != 0 || kept / 2 == cover.generation)
        return kept % 2 != 0;
    bool has = find_out(comm);
    if (kept != 0)
        caucus_keyval_delete(&answers, comm);
    caucus_keyval_set(&answers, comm, (void *)(2 * cover.generation + has));
    return has;
}

void caucus_cover_add(MPI_Comm comm) {
    MPI_Group group;
    if (!cover.begun || caucus_cover_has(comm) || !group_of(comm, &group))
        return;
    MPI_Group *longer = realloc(cover.group, (size_t)(cover.count + 1) * sizeof *longer);
    if (!longer) {
        PMPI_Group_free(&group);
        return;
    }
    cover.group = longer;
    cover.group[cover.count++] = group;
    cover.generation++;
}

void caucus_cover_end(void) {
    while (cover.count > 0)
        PMPI_Group_free(&cover.group[--cover.count]);
    free(cover.group);
    cover.group = NULL;
}
