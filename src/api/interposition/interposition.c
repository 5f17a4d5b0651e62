/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/interposition.h"

#include "api/calls/counters.h"
#include "api/calls/levels.h"
#include "api/calls/words.h"
#include "api/collective/context.h"
#include "api/collective/leave.h"
#include "api/collective/neighbor_order.h"
#include "api/collective/runs.h"
#include "api/collective/shape.h"
#include "api/common/raise.h"
#include "api/interposition/communicator_id.h"
#include "api/interposition/duplicates.h"
#include "api/interposition/helper.h"
#include "api/interposition/meeting.h"
#include "api/interposition/proxies.h"
#include "api/interposition/served.h"
#include "api/interposition/tracked.h"
#include "base/status.h"
#include "run/attachment/attach.h"
#include "run/progress/progress.h"
#include "run/support/keyval.h"
#include "run/support/short_axes.h"

static bool converts; /* blocking collectives where they are covered: nobody has several threads */
static bool converts_all;
static bool leaves_blocking; /* CAUCUS_DISABLE=blocking: to MPI, in any case */
static bool is_strict;       /* CAUCUS_DISABLE=progress: MPI's calls stay as they are */

static _Thread_local int depth;
static _Thread_local bool is_helped;

static void meet_parents(void) {
    MPI_Comm parents;
    if (PMPI_Comm_get_parent(&parents) == MPI_SUCCESS)
        caucus_interposition_made(parents, true);
}

static void close_all(MPI_Comm comm, void *value) {
    (void)comm, (void)value;
    caucus_meetings_end();
    caucus_tracked_end();
    caucus_proxies_end();
}

/* MPI_Finalize deletes what is kept with MPI_COMM_SELF, the last first (MPI-4.0, 11.2.4): this
 * after all that the program has set, and before what attaching MPI_COMM_WORLD has (last.h). */
static struct caucus_keyval closer = CAUCUS_KEYVAL_DROPPED(close_all);

/* With nonblocking calls of ours, which wait for nobody, no rank knows whether another one has
 * made some. */
void caucus_interposition_open(void) {
    caucus_served_begin();
    is_strict = caucus_words_have(CAUCUS_SETTING_DISABLE, "progress");
    leaves_blocking = caucus_words_have(CAUCUS_SETTING_DISABLE, "blocking");
    if (!caucus_attached(MPI_COMM_WORLD))
        return;
    caucus_keyval_set(&closer, MPI_COMM_SELF, &closer);
    if (caucus_levels_have_threads() && caucus_call_is_ours(CAUCUS_CALL_COMM_CREATE_GROUP))
        caucus_communicator_id_begin();
    if (!caucus_calls_need_progress())
        return;
    converts = !caucus_levels_have_threads();
    caucus_helper_offered = !converts;
    if (converts)
        caucus_tracked_begin();
    converts_all = converts && caucus_form_is_ours(CAUCUS_FORM_NONBLOCKING, false);
    meet_parents();
}

void caucus_interposition_advance(void) {
    if (caucus_proxies_exist())
        caucus_progress();
}

bool caucus_interposition_polls(void) {
    return !is_strict && caucus_progress() > 0;
}

/* In programs of sessions that never call MPI_Init nothing is made of what may wait.
 * MPI_Initialized does not tell: Intel MPI 2021.18 says yes there. */
static bool serves(MPI_Comm comm, bool *inter) {
    int two_groups = 0;
    const struct caucus_context *context = caucus_context_recent(comm);
    if (context && caucus_served_has_world()) {
        *inter = context->between;
        return true;
    }
    bool good = comm != MPI_COMM_NULL && caucus_served_has_world() &&
                PMPI_Comm_test_inter(comm, &two_groups) == MPI_SUCCESS;
    *inter = two_groups;
    return good;
}

static void ask_for_help(void) {
    is_helped = caucus_helper_offered;
    caucus_helper_enter();
}

/* Whether all ranks of comm know of ours: they may be of two worlds, one of which runs without
 * Caucus. */
static bool all_are_ours(MPI_Comm comm) {
    bool inter;
    return serves(comm, &inter) &&
           (inter ? caucus_between_is_known(comm) : caucus_within_serves(comm));
}

/* Whether all ranks of comm carry out what may block within MPI in another way, that does not. */
static bool is_converted(MPI_Comm comm) {
    return converts && comm != MPI_COMM_NULL &&
           (converts_all ? all_are_ours(comm) : caucus_tracked_has(comm));
}

/* The same before a call that may block within MPI. */
static bool must_not_block(MPI_Comm comm) {
    if (is_converted(comm))
        return true;
    ask_for_help();
    return false;
}

/* Where it is measured whether MPI's own call is faster, it may be taken where none of its ranks
 * need progress here meanwhile, and no duplicate is pending beside it. */
static void allow_leaving(MPI_Comm comm) {
    const struct caucus_context *context = caucus_context_kept(comm);
    bool learns = context && context->learned && !context->settings.select_persistent;
    if (!learns || caucus_levels_have_threads() || is_converted(comm))
        return;
    caucus_duplicates_await(comm);
    caucus_leave_allow(true);
}

/* Of a call that takes() refuses: what it looks at, in its order. */
static enum caucus_reason why_left(enum caucus_call call, MPI_Comm comm) {
    bool inter;
    if (!serves(comm, &inter))
        return CAUCUS_REASON_OTHER;
    if (!(inter ? caucus_call_is_ours_between(call) : caucus_call_is_ours(call)))
        return caucus_reason_of(call, inter);
    if (inter ? !caucus_between_is_known(comm) : !caucus_within_serves(comm))
        return CAUCUS_REASON_WORLDS;
    return inter && caucus_call_form(call) != CAUCUS_FORM_NONBLOCKING ? CAUCUS_REASON_OTHER
                                                                      : CAUCUS_REASON_UNATTACHED;
}

static enum caucus_way count(enum caucus_call call, MPI_Comm comm, enum caucus_way way) {
    if (way == CAUCUS_WAY_OURS)
        caucus_runs_are_for(call);
    else if (caucus_counters_is_wanted())
        caucus_call_pass(call, why_left(call, comm));
    return way;
}

/* What was not attached where it was made is attached by a call that may wait, when no duplicate of
 * it is pending that this would get in the way of; until then MPI has the nonblocking ones. */
static bool takes(enum caucus_call call, MPI_Comm comm, bool *inter) {
    if (!serves(comm, inter))
        return false;
    if (!(*inter ? caucus_call_is_ours_between(call) : caucus_call_is_ours(call)))
        return false;
    if (caucus_call_form(call) == CAUCUS_FORM_NONBLOCKING)
        return caucus_is_attached(comm) && (!*inter || caucus_between_serves(comm));
    if (caucus_duplicates_any() && !caucus_is_attached(comm))
        caucus_duplicates_await(comm);
    return *inter ? caucus_between_attach(comm) : caucus_within_serves(comm);
}

/* Whether MPI's nonblocking form may come to another result than its blocking one, or to none
 * (docs/mpi-faults.md). */
static bool is_wrong_nonblocking(enum caucus_call call, MPI_Comm comm, bool inter) {
    enum caucus_collective collective = ((int)call - CAUCUS_CALL_COLLECTIVE) / CAUCUS_CALL_FORMS;
    return inter ? caucus_shapes[collective].rooted
                 : caucus_exchanges_with_neighbors(collective) && caucus_confused_axes(comm);
}

/* Of a blocking one that must not block: it is ours where that takes no new communicator, and so
 * quicker than MPI's nonblocking form; and where that form cannot be trusted. */
static bool takes_in_place(enum caucus_call call, MPI_Comm comm) {
    bool inter;
    if (!serves(comm, &inter))
        return false;
    if (!inter && !leaves_blocking && caucus_attached(comm))
        return true;
    return is_wrong_nonblocking(call, comm, inter) && (!inter || caucus_between_is_known(comm));
}

enum caucus_way caucus_interposition_enter(enum caucus_call call, MPI_Comm comm, bool *gather) {
    enum caucus_form form = caucus_call_form(call);
    *gather = false;
    if (depth++ > 0)
        return CAUCUS_WAY_MPI;
    bool inter, ours = takes(call, comm, &inter);
    if (inter && ours)
        return count(call, comm, CAUCUS_WAY_OURS);
    if (form == CAUCUS_FORM_PERSISTENT)
        *gather = must_not_block(comm);
    if (form == CAUCUS_FORM_PERSISTENT && ours)
        caucus_duplicates_await(comm);
    if (form == CAUCUS_FORM_BLOCKING && ours)
        allow_leaving(comm);
    if (ours || form != CAUCUS_FORM_BLOCKING || !must_not_block(comm))
        return count(call, comm, ours ? CAUCUS_WAY_OURS : CAUCUS_WAY_MPI);
    ours = takes_in_place(call, comm);
    if (!ours)
        caucus_duplicates_await(comm);
    return count(call, comm, ours ? CAUCUS_WAY_OURS : CAUCUS_WAY_NONBLOCKING);
}

void caucus_interposition_enter_other(MPI_Comm comm, bool *gather) {
    *gather = false;
    if (depth++ > 0)
        return;
    *gather = must_not_block(comm);
    if (*gather)
        caucus_duplicates_await(comm);
}

bool caucus_interposition_may_assemble(void) {
    return converts && depth == 1 && (converts_all || caucus_tracked_any());
}

bool caucus_interposition_assembles(MPI_Group group) {
    return caucus_interposition_may_assemble() && (converts_all || caucus_tracked_has_group(group));
}

bool caucus_interposition_enter_some(void) {
    if (depth++ > 0)
        return false;
    ask_for_help();
    return true;
}

bool caucus_interposition_enter_unnamed(void) {
    return caucus_interposition_enter_some() && caucus_interposition_may_assemble();
}

void caucus_interposition_made(MPI_Comm comm, bool of_other_worlds) {
    bool inter;
    if (depth > 1 || !serves(comm, &inter))
        return;
    if (!of_other_worlds)
        caucus_communicator_made(comm, inter);
    else if (inter)
        caucus_between_met(comm);
}

static bool has_one_group(MPI_Comm comm) {
    int inter = 1;
    return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter;
}

void caucus_interposition_derived(MPI_Comm parent, MPI_Comm made) {
    if (depth > 1 || parent == MPI_COMM_NULL)
        return;
    caucus_communicator_id_derive(parent, made);
    if (!has_one_group(made) || !has_one_group(parent))
        return;
    caucus_served_derive(parent, made);
    caucus_tracked_derive(parent, made);
}

void caucus_interposition_leave(void) {
    if (depth == 0)
        return;
    if (--depth > 0)
        return;
    if (is_helped)
        caucus_helper_leave();
    is_helped = false;
    caucus_leave_allow(false);
    caucus_runs_are_for(CAUCUS_CALL_COUNT);
}

int caucus_interposition_missing(const char *function, MPI_Comm comm) {
    return caucus_raise(comm, NULL, function,
                        caucus_fail(CAUCUS_UNSUPPORTED,
                                    "this MPI does not have it, and Caucus does not serve it here, "
                                    "or it is disabled"));
}

/* The thread is waited for here: a callback may come while MPI holds a lock. */
void caucus_interposition_end(void) {
    caucus_helper_end();
    if (!caucus_keyval_get(&closer, MPI_COMM_SELF))
        close_all(MPI_COMM_SELF, NULL);
}
