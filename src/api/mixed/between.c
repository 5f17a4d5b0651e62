/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/mixed/between.h"

#include "api/calls/tally.h"
#include "api/collective/team.h"
#include "api/mixed/cover.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/keyval.h"
#include "run/say.h"
#include "run/together.h"

#include <stdint.h>

/* What is kept with an intercommunicator once it is known. */
enum answer { UNKNOWN, OURS, ATTACHED_WHERE_MADE, LEFT_TO_MPI };

/* Of those that live. */
static _Atomic int attached_where_made;

static int drop_answer(MPI_Comm comm, int keyval, void *value, void *extra);
static struct caucus_keyval answers = CAUCUS_KEYVAL(MPI_COMM_NULL_COPY_FN, drop_answer);

static int drop_answer(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)extra;
    if ((enum answer)(intptr_t)value == ATTACHED_WHERE_MADE)
        attached_where_made--;
    caucus_keyval_deleted(&answers);
    return MPI_SUCCESS;
}

static void remember(MPI_Comm comm, enum answer answer) {
    if (caucus_keyval_get(&answers, comm))
        caucus_keyval_delete(&answers, comm);
    caucus_keyval_set(&answers, comm, (void *)(intptr_t)answer);
}

static bool any_is_ours(void) {
    static const enum caucus_form all[] = {CAUCUS_FORM_BLOCKING, CAUCUS_FORM_NONBLOCKING,
                                           CAUCUS_FORM_PERSISTENT};
    bool any = false;
    for (int i = 0; i < 3; i++)
        any = any || caucus_call_is_ours_between(caucus_call_of(CAUCUS_BARRIER, all[i], false));
    return any;
}

static bool is_inter(MPI_Comm comm) {
    int inter = 0, initialized;
    PMPI_Initialized(&initialized);
    return initialized && comm != MPI_COMM_NULL &&
           PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter;
}

/* Whether all of the other group's processes are of this one's MPI_COMM_WORLD. If so, theirs is the
 * same; if not, they find the same of this group. */
static bool is_of_one_world(MPI_Comm comm) {
    MPI_Group remote, world, others;
    int count = 1;
    if (PMPI_Comm_remote_group(comm, &remote) != MPI_SUCCESS)
        return false;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        if (PMPI_Group_difference(remote, world, &others) == MPI_SUCCESS) {
            PMPI_Group_size(others, &count);
            if (others != MPI_GROUP_EMPTY)
                PMPI_Group_free(&others);
        }
        PMPI_Group_free(&world);
    }
    PMPI_Group_free(&remote);
    return count == 0;
}

bool caucus_between_is_known(MPI_Comm comm) {
    return caucus_setting_lists(CAUCUS_SETTING_ENABLE, "dynamic") || is_of_one_world(comm);
}

bool caucus_between_serves(MPI_Comm comm) {
    enum answer answer = (enum answer)(intptr_t)caucus_keyval_get(&answers, comm);
    if (answer == UNKNOWN) {
        bool ours = any_is_ours() && caucus_between_is_known(comm);
        answer = ours ? OURS : LEFT_TO_MPI;
        remember(comm, answer);
    }
    return answer != LEFT_TO_MPI;
}

static void tell(MPI_Comm comm, int status) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    caucus_fail_in(status, "collectives on an intercommunicator are left to MPI");
    if (rank == 0)
        caucus_say(caucus_error_text());
}

bool caucus_between_attach(MPI_Comm comm) {
    struct caucus_team *team = caucus_team_kept(comm);
    if (!caucus_between_serves(comm))
        return false;
    if (team && team->standing)
        return true;
    int status = caucus_team_get(comm, &team);
    if (!status)
        return true;
    remember(comm, LEFT_TO_MPI);
    tell(comm, status);
    return false;
}

/* Each has node memory, and what a program makes by the hundred it may never use. */
static bool all_have_room(MPI_Comm comm) {
    int most = attached_where_made;
    return caucus_highest_of_groups(comm, &most) == 0 && most < CAUCUS_BETWEEN_MOST;
}

void caucus_between_made(MPI_Comm comm) {
    if (!is_inter(comm))
        return;
    bool ours = caucus_between_serves(comm);
    if (ours && all_have_room(comm)) {
        ours = caucus_between_attach(comm);
        if (ours) {
            remember(comm, ATTACHED_WHERE_MADE);
            attached_where_made++;
        }
    }
    if (ours)
        caucus_cover_add(comm);
    if (caucus_tally_is_wanted())
        caucus_call_count(CAUCUS_CALL_INTERCOMM_CREATE, ours ? "union" : NULL);
}

void caucus_between_met(MPI_Comm comm) {
    if (is_inter(comm) && caucus_between_serves(comm))
        caucus_cover_add(comm);
}
