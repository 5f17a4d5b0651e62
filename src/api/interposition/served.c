/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/served.h"

#include "api/calls/counters.h"
#include "api/calls/words.h"
#include "api/collective/context.h"
#include "api/interposition/duplicates.h"
#include "api/interposition/tracked.h"
#include "base/status.h"
#include "run/peers/peers.h"
#include "run/support/keyval.h"
#include "run/support/notice.h"

#include <stdint.h>

/* What is kept with a communicator once it is known; those attached where they were made have one
 * group or two. */
enum answer { UNKNOWN, OURS, LEFT_TO_MPI, ATTACHED, ATTACHED_BETWEEN };

static _Atomic int attached_where_made[2]; /* of those that live, with one group and with two */

static void drop_answer(MPI_Comm comm, void *value) {
    int answer = (int)(intptr_t)value;
    (void)comm;
    if (answer >= ATTACHED)
        attached_where_made[answer - ATTACHED]--;
}

static struct caucus_keyval answers = CAUCUS_KEYVAL_DROPPED(drop_answer);

static bool remember(MPI_Comm comm, int answer) {
    caucus_keyval_delete(&answers, comm);
    return caucus_keyval_set(&answers, comm, (void *)(intptr_t)answer) == CAUCUS_OK;
}

bool caucus_is_attached(MPI_Comm comm) {
    const struct caucus_context *context = caucus_context_kept(comm);
    return context && context->cache;
}

static bool has_world; /* programs of sessions have no MPI_COMM_WORLD that could be asked for */

void caucus_served_begin(void) {
    has_world = true;
}

bool caucus_served_has_world(void) {
    return has_world;
}

/* OURS, or more than that. */
static bool is_known_to_be_ours(MPI_Comm comm) {
    int answer = (int)(intptr_t)caucus_keyval_get(&answers, comm);
    return comm == MPI_COMM_WORLD || (answer != UNKNOWN && answer != LEFT_TO_MPI);
}

void caucus_served_derive(MPI_Comm parent, MPI_Comm made) {
    if (has_world && is_known_to_be_ours(parent))
        remember(made, OURS);
}

static bool serves_other_worlds(void) {
    return caucus_words_have(CAUCUS_SETTING_ENABLE, "dynamic");
}

bool caucus_is_known_within_world(MPI_Comm comm) {
    return has_world && !serves_other_worlds() && is_known_to_be_ours(comm);
}

static bool find_group(MPI_Comm comm, MPI_Group *group) {
    int inter;
    return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS &&
           (inter ? PMPI_Comm_remote_group(comm, group) : PMPI_Comm_group(comm, group)) ==
               MPI_SUCCESS;
}

/* Whether all processes, of two groups the other one's, are of this one's MPI_COMM_WORLD. If so,
 * theirs is the same; if not, they find the same of this one. */
static bool is_of_one_world(MPI_Comm comm) {
    MPI_Group members, world;
    bool within = false;
    int alike = MPI_UNEQUAL;
    if (!has_world)
        return true;
    if (PMPI_Comm_compare(comm, MPI_COMM_WORLD, &alike) == MPI_SUCCESS && alike != MPI_UNEQUAL)
        return true;
    if (!find_group(comm, &members))
        return false;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        within = caucus_is_within(members, world);
        PMPI_Group_free(&world);
    }
    PMPI_Group_free(&members);
    return within;
}

bool caucus_between_is_known(MPI_Comm comm) {
    return serves_other_worlds() || is_of_one_world(comm);
}

static bool any_between_is_ours(void) {
    bool any = false;
    for (int form = CAUCUS_FORM_BLOCKING; form <= CAUCUS_FORM_PERSISTENT; form++)
        any = any || caucus_form_is_ours((enum caucus_form)form, true);
    return any;
}

static bool serves(MPI_Comm comm, bool inter) {
    int answer = (int)(intptr_t)caucus_keyval_get(&answers, comm);
    if (answer == UNKNOWN) {
        bool wanted = !inter || any_between_is_ours();
        answer = wanted && caucus_between_is_known(comm) ? OURS : LEFT_TO_MPI;
        remember(comm, answer);
    }
    return answer != LEFT_TO_MPI;
}

bool caucus_between_serves(MPI_Comm comm) {
    return serves(comm, true);
}

bool caucus_within_serves(MPI_Comm comm) {
    return comm == MPI_COMM_NULL || caucus_is_attached(comm) || serves(comm, false);
}

/* One that can't be attached is left to MPI. */
static bool attach(MPI_Comm comm, const char *what) {
    struct caucus_context *context;
    int rank, status = caucus_context_get(comm, &context);
    if (!status)
        return true;
    PMPI_Comm_rank(comm, &rank);
    caucus_fail_in(status, "%s are left to MPI", what);
    if (rank == 0)
        caucus_notice(caucus_error_text());
    return false;
}

bool caucus_between_attach(MPI_Comm comm) {
    if (!caucus_between_serves(comm))
        return false;
    if (caucus_is_attached(comm) || attach(comm, "collectives on an intercommunicator"))
        return true;
    remember(comm, LEFT_TO_MPI);
    return false;
}

/* Each has node memory, and what a program makes by the hundred it may never use. */
static bool all_have_room(MPI_Comm comm, bool inter) {
    int most = !inter && caucus_duplicates_any() ? CAUCUS_MADE_MOST : attached_where_made[inter];
    int status = inter ? caucus_highest_of_groups(comm, &most) : caucus_highest(comm, &most);
    return !status && most < CAUCUS_MADE_MOST;
}

static void count_in(MPI_Comm comm, bool inter) {
    if (remember(comm, ATTACHED + inter))
        attached_where_made[inter]++;
}

static void made_within(MPI_Comm comm) {
    if (caucus_form_is_ours(CAUCUS_FORM_NONBLOCKING, false) && !caucus_is_attached(comm) &&
        serves(comm, false) && all_have_room(comm, false) &&
        attach(comm, "nonblocking collectives on a communicator"))
        count_in(comm, false);
}

static enum caucus_reason why_left_between(MPI_Comm comm) {
    if (!caucus_call_is_ours(CAUCUS_CALL_INTERCOMM_CREATE))
        return caucus_reason_of(CAUCUS_CALL_INTERCOMM_CREATE, true);
    return caucus_between_is_known(comm) ? CAUCUS_REASON_OTHER : CAUCUS_REASON_WORLDS;
}

void caucus_communicator_made(MPI_Comm comm, bool inter) {
    if (!inter) {
        made_within(comm);
        return;
    }
    bool ours = caucus_between_serves(comm);
    if (ours && all_have_room(comm, true)) {
        ours = caucus_between_attach(comm);
        if (ours)
            count_in(comm, true);
    }
    if (ours)
        caucus_tracked_add(comm);
    if (!caucus_counters_is_wanted())
        return;
    if (ours)
        caucus_call_count(CAUCUS_CALL_INTERCOMM_CREATE, "union");
    else
        caucus_call_pass(CAUCUS_CALL_INTERCOMM_CREATE, why_left_between(comm));
}

void caucus_between_met(MPI_Comm comm) {
    if (caucus_between_serves(comm))
        caucus_tracked_add(comm);
}
