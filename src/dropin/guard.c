/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/guard.h"

#include "api/calls/forgive.h"
#include "api/calls/left.h"
#include "api/collective/context.h"
#include "api/creation/create.h"
#include "api/graph/request.h"
#include "api/grid/request.h"
#include "dropin/company.h"
#include "dropin/objects.h"
#include "run/support/foreign.h"
#include "run/support/world.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

enum { UNSEEN, BEGINS, SERVES, FOREIGN, PASSED_BY, ENDED };
static _Atomic int state;

static const char passed_by[] =
    "MPI_Init did not come through the drop-in: the program, a tool that is found first, or MPI's "
    "Fortran interface calls PMPI_Init. All calls are left to MPI.";

static const char no_end[] =
    "MPI_Finalize did not come through the drop-in, which writes no report of calls then.";

static bool is_finalized(void) {
    int finalized = 1;
    PMPI_Finalized(&finalized);
    return finalized;
}

/* When MPI is over, only its launcher's variables tell which process this is. */
static bool is_first(void) {
    int rank = 0;
    if (is_finalized())
        return caucus_world_launched_rank() == 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

/* Nobody could handle an error that comes of them. */
static void forgive_settings(bool first) {
    static caucus_check *const checks[] = {caucus_context_check_settings,
                                           caucus_grid_check_settings, caucus_graph_check_settings,
                                           caucus_creation_check_settings};
    caucus_calls_forgive(first, checks, sizeof checks / sizeof *checks);
}

/* MPI is up, and the drop-in does not know how that came. */
static void tell_passed_by(void) {
    int before = UNSEEN;
    if (atomic_compare_exchange_strong(&state, &before, PASSED_BY) && is_first())
        caucus_left_say(passed_by);
}

static bool leaves_sessions;

static void tell_foreign(void) {
    if (caucus_company_fits())
        return;
    caucus_mpi_tell_foreign(
        CAUCUS_MPI_BUILT_FOR, "this drop-in",
        "it leaves all calls to MPI; preload the one that was built for that MPI");
}

static bool is_foreign(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!caucus_mpi_is_foreign())
        return false;
    pthread_once(&once, tell_foreign);
    return true;
}

static void look_before_init(void) {
    char words[CAUCUS_LEFT_WORDS];
    leaves_sessions = is_foreign() || caucus_objects_look(words) == CAUCUS_LEFT_ALL;
    if (!leaves_sessions)
        forgive_settings(caucus_world_launched_rank() == 0);
}

/* Intel MPI 2021.18 says so of a program that has a session alone, against the standard. */
static atomic_bool by_session;

bool caucus_guard_is_initialized(void) {
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return initialized && !by_session;
}

void caucus_guard_session(bool before) {
    if (!before && caucus_guard_is_initialized())
        by_session = true;
}

/* Programs of sessions have no MPI_Init. */
static bool leaves_now(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (state != UNSEEN)
        return state != SERVES;
    if (caucus_guard_is_initialized()) {
        tell_passed_by();
        return true;
    }
    pthread_once(&once, look_before_init);
    return leaves_sessions;
}

bool caucus_guard_leaves(void) {
    return atomic_load_explicit(&state, memory_order_relaxed) != SERVES && leaves_now();
}

void caucus_guard_begin(void) {
    state = BEGINS;
}

bool caucus_guard_serve(void) {
    char words[CAUCUS_LEFT_WORDS];
    if (is_foreign()) {
        state = FOREIGN;
        return false;
    }
    forgive_settings(is_first());
    caucus_objects_are_new();
    caucus_left_want(caucus_objects_look(words), words);
    state = SERVES;
    return true;
}

void caucus_guard_end(void) {
    int before = SERVES;
    atomic_compare_exchange_strong(&state, &before, ENDED);
}

/* In programs of sessions such calls are MPI's in any case. */
void caucus_guard_look_again(void) {
    char words[CAUCUS_LEFT_WORDS];
    if (state == SERVES && caucus_objects_are_new() &&
        caucus_objects_look(words) > caucus_left_agreed())
        caucus_left_late(words);
}

/* Fortran's MPI_Init may be the first call of PMPI_Init. */
__attribute__((constructor)) static void begin(int argc, char **argv) {
    char words[CAUCUS_LEFT_WORDS];
    (void)argc;
    caucus_company_go_last(argv);
    caucus_objects_look(words);
}

/* A program none of whose calls came here may end without a word about it. */
__attribute__((destructor)) static void end(void) {
    if (state == UNSEEN && caucus_guard_is_initialized() && !is_foreign())
        tell_passed_by();
    if (state == PASSED_BY && is_first())
        caucus_left_report(passed_by);
    if (state == SERVES && is_finalized() && is_first())
        caucus_left_report(*caucus_left_sentence() ? caucus_left_sentence() : no_end);
}
