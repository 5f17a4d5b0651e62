/* SPDX-License-Identifier: BSD-3-Clause */
/* Before calls that may wait, of which nothing is taken over. */
#include "api/interposition/assemble.h"
#include "api/interposition/duplicates.h"
#include "api/interposition/interposition.h"
#include "api/interposition/mixed.h"
#include "dropin/forward.h"
#include "dropin/forward_calls.h"
#include "dropin/guard.h"

/* A barrier between groups waits for the other one alone: once that has come to a second one, it
 * has seen all of this rank's own group. */
void caucus_forward_assemble(MPI_Comm comm) {
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    for (int barrier = 0; barrier < (inter ? 2 : 1); barrier++) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (PMPI_Ibarrier(comm, &request) == MPI_SUCCESS)
            caucus_mixed_wait(&request, MPI_STATUS_IGNORE);
    }
}

static void enter_comm(MPI_Comm comm) {
    bool gather;
    caucus_interposition_enter_other(comm, &gather);
    if (gather)
        caucus_forward_assemble(comm);
}

void caucus_forward_enter_other(intptr_t comm) {
    if (!caucus_guard_leaves())
        enter_comm((MPI_Comm)comm);
}

void caucus_forward_enter_other_at(const void *comm) {
    if (!caucus_guard_leaves())
        enter_comm(comm ? *(const MPI_Comm *)comm : MPI_COMM_NULL);
}

#define ENTER(what, parameters, is_there, assemble)                                                \
    void caucus_forward_enter_##what parameters {                                                  \
        if (!caucus_guard_leaves() && caucus_interposition_enter_unnamed() && (is_there))          \
            (assemble);                                                                            \
    }

ENTER(window, (intptr_t window), true, caucus_assemble_window((MPI_Win)window))
ENTER(window_at, (const void *window), window, caucus_assemble_window(*(const MPI_Win *)window))
ENTER(file, (intptr_t file), true, caucus_assemble_file((MPI_File)file))
ENTER(file_at, (const void *file), file, caucus_assemble_file(*(const MPI_File *)file))
ENTER(group, (intptr_t group, const char *words), true,
      caucus_assemble_group((MPI_Group)group, words))
ENTER(groups, (intptr_t local, intptr_t remote, const char *words), true,
      caucus_assemble_groups((MPI_Group)local, (MPI_Group)remote, words))

/* The groups meet by their leaders, each of whom speaks for those who have come before, and whom
 * those that come afterwards wait for. */
void caucus_forward_enter_leaders(intptr_t comm_handle, int leader, intptr_t peers,
                                  int remote_leader) {
    MPI_Comm comm = (MPI_Comm)comm_handle;
    bool gather;
    if (caucus_guard_leaves())
        return;
    caucus_interposition_enter_other(comm, &gather);
    if (gather)
        caucus_forward_assemble(comm);
    if (caucus_interposition_may_assemble())
        caucus_assemble_leaders(comm, leader, (MPI_Comm)peers, remote_leader);
    if (gather)
        caucus_forward_assemble(comm);
}

void caucus_forward_enter_alone(void) {
    if (!caucus_guard_leaves() && caucus_interposition_enter_some())
        caucus_forward_advance();
}

void caucus_forward_advance(void) {
    caucus_interposition_advance();
}

void caucus_forward_duplicates(intptr_t comm, const void *request) {
    if (!caucus_guard_leaves())
        caucus_duplicates_add((MPI_Comm)comm, *(const MPI_Request *)request);
}
