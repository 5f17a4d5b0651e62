/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/calls.h"

#include "api/calls/counters.h"
#include "api/calls/left.h"
#include "api/calls/levels.h"
#include "api/calls/report_path.h"
#include "api/calls/words.h"
#include "base/refused.h"
#include "plan/intergroup/intergroup.h"
#include "run/attachment/attach.h"
#include "run/attachment/exchange.h"
#include "run/peers/peers.h"
#include "run/support/first_topology.h"

#include <caucus/comm.h>

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>

/* The word is that of CAUCUS_DISABLE or, where MPI keeps the call by default, of CAUCUS_ENABLE. */
struct kind {
    const char *name, *word;
    bool by_default;
};

static const struct kind makers[CAUCUS_CALL_COLLECTIVE] = {
    [CAUCUS_CALL_CART_CREATE] = {"MPI_Cart_create", "cart", true},
    [CAUCUS_CALL_CART_MAP] = {"MPI_Cart_map", "map", false},
    [CAUCUS_CALL_DIMS_CREATE] = {"MPI_Dims_create", "dims", false},
    [CAUCUS_CALL_GRAPH_CREATE] = {"MPI_Graph_create", "graph", true},
    [CAUCUS_CALL_DIST_GRAPH_CREATE] = {"MPI_Dist_graph_create", "graph", true},
    [CAUCUS_CALL_DIST_GRAPH_CREATE_ADJACENT] = {"MPI_Dist_graph_create_adjacent", "graph", true},
    [CAUCUS_CALL_INTERCOMM_CREATE] = {"MPI_Intercomm_create", "inter", true},
    [CAUCUS_CALL_COMM_CREATE_GROUP] = {"MPI_Comm_create_group", "group", true},
};
static const struct kind forms[] = {
    [CAUCUS_FORM_BLOCKING] = {"", "blocking", false},
    [CAUCUS_FORM_NONBLOCKING] = {"I", "nonblocking", false},
    [CAUCUS_FORM_PERSISTENT] = {"", "persistent", true},
};

static const struct kind *kind_of(enum caucus_call call) {
    return call < CAUCUS_CALL_COLLECTIVE ? &makers[call] : &forms[caucus_call_form(call)];
}

const char *caucus_call_word(enum caucus_call call) {
    return kind_of(call)->word;
}

void caucus_call_name(enum caucus_call call, char name[CAUCUS_CALL_NAME]) {
    const struct kind *kind = kind_of(call);
    if (call < CAUCUS_CALL_COLLECTIVE) {
        snprintf(name, CAUCUS_CALL_NAME, "%s", kind->name);
        return;
    }
    int number = (int)(call - CAUCUS_CALL_COLLECTIVE);
    bool persistent = caucus_call_form(call) == CAUCUS_FORM_PERSISTENT;
    snprintf(name, CAUCUS_CALL_NAME, "MPI_%s%s%s%s", kind->name,
             caucus_collective_name(number / CAUCUS_CALL_FORMS), persistent ? "_init" : "",
             number % 2 ? "_c" : "");
    name[4] = (char)toupper((unsigned char)name[4]);
}

static bool ours[CAUCUS_CALL_COUNT], ours_between[CAUCUS_CALL_COUNT];

/* MPI has neither scans nor neighbours between groups. */
static bool is_between_groups(int call) {
    int number = call - CAUCUS_CALL_COLLECTIVE;
    enum caucus_collective collective = (enum caucus_collective)(number / CAUCUS_CALL_FORMS);
    return number >= 0 &&
           caucus_intergroup_algorithm(caucus_intergroup_algorithm_first(collective)) != NULL;
}

static void read_lists(void) {
    bool all = caucus_words_have(CAUCUS_SETTING_DISABLE, "all");
    bool between = !caucus_words_have(CAUCUS_SETTING_DISABLE, "inter");
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++) {
        const struct kind *kind = kind_of((enum caucus_call)call);
        bool left = all || caucus_words_have(CAUCUS_SETTING_DISABLE, kind->word);
        ours[call] =
            !left && (kind->by_default || caucus_words_have(CAUCUS_SETTING_ENABLE, kind->word));
        ours_between[call] = between && !left && is_between_groups(call);
    }
}

static void read_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_lists);
}

bool caucus_call_is_ours(enum caucus_call call) {
    read_once();
    return ours[call];
}

bool caucus_call_is_ours_between(enum caucus_call call) {
    read_once();
    return ours_between[call];
}

bool caucus_call_is_passed_by(enum caucus_call call) {
    enum caucus_left left = caucus_left_agreed();
    bool later = call >= CAUCUS_CALL_COLLECTIVE && caucus_call_form(call) != CAUCUS_FORM_BLOCKING;
    return left == CAUCUS_LEFT_ALL || (left == CAUCUS_LEFT_REQUESTS && later);
}

static void leave_what_passes_by(void) {
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++)
        if (caucus_call_is_passed_by((enum caucus_call)call))
            ours[call] = ours_between[call] = false;
}

/* A nonblocking or persistent collective, on one group or between two. */
static bool any_request_is_ours(void) {
    bool any = false;
    for (int between = 0; between < 2; between++)
        any = any || caucus_form_is_ours(CAUCUS_FORM_PERSISTENT, between) ||
              caucus_form_is_ours(CAUCUS_FORM_NONBLOCKING, between);
    return any;
}

bool caucus_calls_need_progress(void) {
    return !caucus_words_have(CAUCUS_SETTING_DISABLE, "progress") && any_request_is_ours();
}

/* A process with threads leaves its blocking calls to MPI and has a thread of ours beside them, one
 * without makes them in a form that needs no thread, and the two forms do not meet. */
static void leave_where_levels_differ(void) {
    if (caucus_levels_differ() && caucus_calls_need_progress())
        caucus_left_want(CAUCUS_LEFT_REQUESTS,
                         "some processes have MPI_THREAD_MULTIPLE, and others do not");
}

/* The first rank that refused a setting is heard. */
static void tell_refused(const struct caucus_attachment *world) {
    int64_t own = caucus_settings_refused() ? world->size - world->rank : 0, first = own;
    if (!caucus_max_all(world, &first, 1) && own > 0 && own == first)
        caucus_settings_tell_refused();
}

/* What is taken over, and whether that is counted, which is most of what calls cost that are left
 * to MPI. */
static void take_settings_of_rank_0(void) {
    enum { DISABLED, ENABLED, REPORT, NUMBERS };
    const struct caucus_peers world = caucus_peers_all(MPI_COMM_WORLD);
    int64_t numbers[NUMBERS] = {[DISABLED] = caucus_words_own(CAUCUS_SETTING_DISABLE),
                                [ENABLED] = caucus_words_own(CAUCUS_SETTING_ENABLE),
                                [REPORT] = *caucus_setting_text(CAUCUS_SETTING_REPORT) != '\0'};
    if (caucus_peers_bcast(&world, numbers, NUMBERS, MPI_INT64_T, 0))
        return;
    caucus_words_hold(CAUCUS_SETTING_DISABLE, numbers[DISABLED]);
    caucus_words_hold(CAUCUS_SETTING_ENABLE, numbers[ENABLED]);
    read_once();
    read_lists(); /* a session may have had this rank's own read */
    caucus_counters_want(numbers[REPORT]);
}

int caucus_calls_begin(void) {
    struct caucus_attachment *world;
    caucus_report_path_begin();
    caucus_words_warn();
    take_settings_of_rank_0();
    bool any = false;
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++)
        any = any || caucus_call_is_ours((enum caucus_call)call) ||
              caucus_call_is_ours_between((enum caucus_call)call);
    if (!any)
        return MPI_SUCCESS;
    int code = caucus_comm_attach(MPI_COMM_WORLD);
    if (code != MPI_SUCCESS || caucus_attach(MPI_COMM_WORLD, &world))
        return code;
    caucus_first_topology();
    caucus_levels_agree(world);
    leave_where_levels_differ();
    caucus_left_agree(world);
    leave_what_passes_by();
    tell_refused(world);
    return code;
}
