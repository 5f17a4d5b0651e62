/* SPDX-License-Identifier: BSD-3-Clause */
/* Before calls that may wait, of which nothing is taken over. */
#include "api/mixed/assemble.h"
#include "api/mixed/duplicates.h"
#include "api/mixed/mixed.h"
#include "api/mixed/passage.h"
#include "api/mixed/progress.h"
#include "api/mixed/proxies.h"
#include "dropin/forward.h"
#include "dropin/forward_calls.h"
#include "dropin/guard.h"

void caucus_forward_assemble(MPI_Comm comm) {
    MPI_Request request;
    if (PMPI_Ibarrier(comm, &request) == MPI_SUCCESS)
        caucus_mixed_wait(&request, MPI_STATUS_IGNORE);
}

static void enter_comm(MPI_Comm comm) {
    bool gather;
    caucus_passage_enter_other(comm, &gather);
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

void caucus_forward_enter_window(intptr_t window) {
    if (!caucus_guard_leaves() && caucus_passage_enter_unnamed())
        caucus_assemble_window((MPI_Win)window);
}

void caucus_forward_enter_window_at(const void *window) {
    if (!caucus_guard_leaves() && caucus_passage_enter_unnamed() && window)
        caucus_assemble_window(*(const MPI_Win *)window);
}

void caucus_forward_enter_file(intptr_t file) {
    if (!caucus_guard_leaves() && caucus_passage_enter_unnamed())
        caucus_assemble_file((MPI_File)file);
}

void caucus_forward_enter_file_at(const void *file) {
    if (!caucus_guard_leaves() && caucus_passage_enter_unnamed() && file)
        caucus_assemble_file(*(const MPI_File *)file);
}

void caucus_forward_enter_group(intptr_t group, const char *words) {
    if (!caucus_guard_leaves() && caucus_passage_enter_unnamed())
        caucus_assemble_group((MPI_Group)group, words);
}

void caucus_forward_enter_groups(intptr_t local, intptr_t remote, const char *words) {
    if (!caucus_guard_leaves() && caucus_passage_enter_unnamed())
        caucus_assemble_groups((MPI_Group)local, (MPI_Group)remote, words);
}

/* The groups meet by their leaders, each of whom speaks for those who have come before, and whom
 * those that come afterwards wait for. */
void caucus_forward_enter_leaders(intptr_t comm_handle, int leader, intptr_t peers,
                                  int remote_leader) {
    MPI_Comm comm = (MPI_Comm)comm_handle;
    bool gather;
    if (caucus_guard_leaves())
        return;
    caucus_passage_enter_other(comm, &gather);
    if (gather)
        caucus_forward_assemble(comm);
    if (caucus_passage_may_assemble())
        caucus_assemble_leaders(comm, leader, (MPI_Comm)peers, remote_leader);
    if (gather)
        caucus_forward_assemble(comm);
}

void caucus_forward_enter_alone(void) {
    if (!caucus_guard_leaves() && caucus_passage_enter_some())
        caucus_forward_advance();
}

void caucus_forward_advance(void) {
    if (caucus_proxies_exist())
        caucus_mixed_progress();
}

void caucus_forward_duplicates(intptr_t comm, const void *request) {
    if (!caucus_guard_leaves())
        caucus_duplicates_add((MPI_Comm)comm, *(const MPI_Request *)request);
}
