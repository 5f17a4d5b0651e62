/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/context.h"

#include "api/collective/cache.h"
#include "api/collective/counts.h"
#include "api/collective/forced.h"
#include "api/collective/learned.h"
#include "api/collective/learned_kept.h"
#include "api/collective/native.h"
#include "api/common/raise.h"
#include "base/memory.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/engine/roll_call.h"
#include "run/group/group.h"
#include "run/measure/machine.h"
#include "run/measure/tuned.h"
#include "run/peers/agree.h"
#include "run/peers/peers.h"
#include "run/support/keyval.h"
#include "run/support/last.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t gone; /* contexts that were kept with a communicator */

static void on_delete(MPI_Comm comm, void *value) {
    struct caucus_context *context = value;
    (void)comm;
    /* Open MPI 5.0.11 frees what its nonblocking collectives still use (docs/mpi-faults.md). MPICH
     * calls this once they are complete, within its progress, where nobody may wait. */
#ifdef OPEN_MPI
    if (comm != MPI_COMM_WORLD)
        caucus_native_await(context);
#endif
    context->comm = MPI_COMM_NULL;
    gone++; /* before the handle may mean another communicator */
    caucus_last_forget(context);
    caucus_context_let_go(context);
}

static struct caucus_keyval kept = CAUCUS_KEYVAL_DROPPED(on_delete);

static void delete_from(MPI_Comm comm, void *value) {
    (void)value;
    caucus_keyval_delete(&kept, comm);
}

int caucus_context_sending(const char *requests) {
    return strcmp(requests, "kept") == 0 ? CAUCUS_SENDING_KEPT : CAUCUS_SENDING_IMMEDIATE;
}

/* Before it is attached a rank takes its own group for the first one. */
static void find_groups(struct caucus_context *context) {
    int inter, rank;
    PMPI_Comm_test_inter(context->comm, &inter);
    PMPI_Comm_rank(context->comm, &rank);
    PMPI_Comm_size(context->comm, &context->local.size);
    context->between = inter;
    if (inter)
        PMPI_Comm_remote_size(context->comm, &context->remote.size);
    bool second = context->attachment && context->attachment->rank != rank;
    context->local.first = second ? context->remote.size : 0;
    context->remote.first = second ? 0 : context->local.size;
    context->rank = context->local.first + rank;
    context->size = context->local.size + context->remote.size;
}

/* Takes what holds within a node from another one: messages, flags, copies, reductions, one copy.
 */
static void set_within(struct caucus_model *model, const struct caucus_model *from) {
    model->latency[CAUCUS_WITHIN_NODE] = from->latency[CAUCUS_WITHIN_NODE];
    model->byte[CAUCUS_WITHIN_NODE] = from->byte[CAUCUS_WITHIN_NODE];
    model->overhead[CAUCUS_WITHIN_NODE] = from->overhead[CAUCUS_WITHIN_NODE];
    model->signal = from->signal;
    model->copy_byte = from->copy_byte;
    model->reduce_byte = from->reduce_byte;
    model->one_copy_byte = from->one_copy_byte;
}

/* Nodes that are only described have no network between them. */
static int measure_model(struct caucus_context *context) {
    struct caucus_context_settings *settings = &context->settings;
    const struct caucus_model before = settings->usual;
    if (!settings->measures || context->attachment->described)
        return CAUCUS_OK;
    int status =
        caucus_measure_machine(context->engine, settings->measuring_seconds, &settings->model);
    settings->usual = settings->model;
    set_within(&settings->usual, &before);
    return status;
}

/* One that is not to be believed counts as if there was none. */
static int read_model_file(struct caucus_context_settings *settings) {
    const char *path = caucus_setting_text(CAUCUS_SETTING_MODEL);
    if (settings->measures || strcmp(path, "default") == 0)
        return CAUCUS_OK;
    int status = caucus_tuned_read(path, &settings->model);
    settings->usual = settings->model;
    settings->measures = status == CAUCUS_NOT_APPLICABLE;
    if (settings->measures) {
        caucus_fail_in(status, "CAUCUS_MODEL");
        caucus_setting_refuse(CAUCUS_SETTING_MODEL);
        return CAUCUS_OK;
    }
    return status ? caucus_setting_blame(
                        CAUCUS_SETTING_MODEL,
                        caucus_fail_in(
                            status,
                            "CAUCUS_MODEL must be auto, default or a file that caucus tune wrote"))
                  : CAUCUS_OK;
}

static int read_model(struct caucus_context_settings *settings) {
    const char *path = caucus_setting_text(CAUCUS_SETTING_MODEL);
    int64_t milliseconds = 0;
    int status = caucus_setting_integer(CAUCUS_SETTING_MODEL_MS, 1, &milliseconds);
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_REPRODUCIBLE, "1", &settings->reproducible);
    settings->measures = strcmp(path, "auto") == 0;
    settings->measuring_seconds = 1e-3 * (double)milliseconds;
    caucus_model_default(&settings->model);
    settings->usual = settings->model;
    return status;
}

static int read_selection(struct caucus_context_settings *settings) {
    bool by_model = true;
    int64_t milliseconds = 0;
    int status = caucus_setting_is(CAUCUS_SETTING_SELECT, "auto", &settings->select_persistent);
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_SELECT, "model", &by_model);
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_SELECT_MS, 1, &milliseconds);
    settings->select_seconds = by_model ? 0 : 1e-3 * (double)milliseconds;
    return status;
}

static int read_forced(char forced[CAUCUS_FORCED_ROOM]) {
    const char *text = caucus_setting_text(CAUCUS_SETTING_ALGORITHM);
    int status = CAUCUS_OK;
    if (strlen(text) < CAUCUS_FORCED_ROOM)
        status = caucus_forced_check(strcpy(forced, text));
    else
        status = caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "CAUCUS_ALGORITHM is '%.60s', and so on: it must not be longer than %d characters",
            text, CAUCUS_FORCED_ROOM - 1);
    return status ? caucus_setting_blame(CAUCUS_SETTING_ALGORITHM, status) : CAUCUS_OK;
}

/* All but the file of a model. */
static int read_settings(struct caucus_context_settings *settings) {
    int status = read_model(settings);
    bool unused; /* run/layout and each rank's engine read these where no error could be told */
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_DEVICE, "none", &unused);
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_ONE_COPY, "auto", &unused);
    if (!status)
        status = read_selection(settings);
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_CHECK, "1", &settings->check);
    if (!status)
        status = caucus_engine_read_limit(&settings->patience);
    settings->is_limited = settings->patience > 0;
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_GROUP_CALLS, 0, &settings->group_calls);
    if (!status)
        status = caucus_setting_is(CAUCUS_SETTING_REQUESTS, "kept", &unused);
    settings->sending = caucus_context_sending(caucus_setting_text(CAUCUS_SETTING_REQUESTS));
    return status ? status : read_forced(settings->forced);
}

static int read_all(struct caucus_context_settings *settings) {
    int status = read_settings(settings);
    return status ? status : read_model_file(settings);
}

/* Of those that were refused the drop-in tells by itself. */
static int read_and_tell(struct caucus_context_settings *settings) {
    int status = read_all(settings);
    if (!caucus_settings_are_forgiven())
        caucus_settings_tell_refused();
    return status;
}

int caucus_context_check_settings(void) {
    struct caucus_context_settings settings;
    return read_all(&settings);
}

/* Unasked, only what is kept for later runs is measured, where the model says least, and where no
 * candidate can fail for its time. */
static bool measures_unasked(const struct caucus_context *context) {
    bool is_kept = !context->between && !context->group;
    return is_kept && context->attachment->nodes.count > 1 && !context->settings.is_limited;
}

/* Each rank has its own limit; what is measured must be the same for all. */
static int find_limits(struct caucus_context *context) {
    int limited = context->engine->timeout > 0;
    int status = caucus_peers_allreduce(&context->attachment->peers, MPI_IN_PLACE, &limited, 1,
                                        MPI_INT, MPI_MAX);
    context->settings.is_limited = limited != 0;
    return status;
}

/* The last step of attaching, after which there is a cache. */
static int create_cache(struct caucus_context *context) {
    struct caucus_context_settings *settings = &context->settings;
    int status = CAUCUS_OK;
    if (settings->select_persistent && !measures_unasked(context))
        settings->select_seconds = 0;
    if (!settings->select_persistent)
        status = caucus_learned_begin(context);
    return status ? status : caucus_cache_create(context->engine, &context->cache);
}

static void detach(struct caucus_context *context) {
    caucus_counts_free(context->counts);
    context->counts = NULL;
    caucus_learned_free(context->learned);
    context->learned = NULL;
    if (context->attachment)
        caucus_attachment_let_go(context->attachment);
    context->attachment = NULL;
    context->engine = NULL;
}

/* The parent's settings are the same on all ranks already. */
int caucus_context_attach_group(struct caucus_context *context) {
    int status = caucus_group_await(context->group);
    if (!status && context->given_up)
        status = caucus_fail(CAUCUS_INTERNAL, "an earlier wait for all members was given up");
    if (!status && !context->reserved) /* an attempt that failed has had it */
        status = caucus_group_reserve(context->group, &context->reserved);
    if (status)
        return status;
    context->attachment = context->reserved;
    context->reserved = NULL;
    caucus_group_attach(context->group, context->attachment);
    status = caucus_roll_call(context->attachment, context->settings.patience);
    context->given_up = context->attachment->given_up;
    if (!status) /* from here on nobody waits for a rank that waits for something else */
        status = caucus_peers_meet(&context->attachment->peers);
    if (!status)
        status =
            caucus_engine_members(context->attachment, caucus_group_tags_engine(context->group),
                                  caucus_cache_bytes, &context->engine);
    if (!status)
        status = create_cache(context);
    if (status)
        detach(context);
    return status;
}

_Static_assert(sizeof(struct caucus_context_settings) <= CAUCUS_AGREE_BYTES, "sent in one message");

/* The context has its attachment. */
static int fill(struct caucus_context *context) {
    find_groups(context);
    caucus_attachment_hold(context->attachment);
    int status = caucus_engine_get(context->attachment, caucus_cache_bytes, &context->engine);
    if (status)
        return status;
    int failed = context->rank == 0 ? read_and_tell(&context->settings) : CAUCUS_OK;
    status = caucus_agree_root_data(&context->attachment->peers, 0, failed, &context->settings,
                                    sizeof context->settings);
    if (!status)
        status = find_limits(context);
    if (!status)
        status = measure_model(context);
    if (!status && context->between)
        status = caucus_counts_create(context->engine, &context->counts);
    return status ? status : create_cache(context);
}

/* MPI's look-up takes longer than all else that a repeated call needs before its work. */
static _Thread_local struct {
    MPI_Comm comm;
    struct caucus_context *context;
    uint64_t gone; /* so many were when it was found */
} last;

/* Whoever uses a communicator that another thread has made under the same handle has met that
 * thread since. */
struct caucus_context *caucus_context_recent(MPI_Comm comm) {
    bool holds = last.context && last.comm == comm &&
                 last.gone == atomic_load_explicit(&gone, memory_order_acquire);
    return holds ? last.context : NULL;
}

struct caucus_context *caucus_context_kept(MPI_Comm comm) {
    struct caucus_context *context = caucus_context_recent(comm);
    if (context)
        return context;
    uint64_t before = gone;
    context = caucus_keyval_get(&kept, comm);
    if (context) {
        last.comm = comm;
        last.context = context;
        last.gone = before;
    }
    return context;
}

/* One that is kept with comm, and not attached. Local. */
static int make(MPI_Comm comm, struct caucus_context **made) {
    struct caucus_context *context = caucus_array(1, sizeof *context);
    if (!context)
        return CAUCUS_NO_MEMORY;
    context->comm = comm;
    context->references = 1;
    find_groups(context);
    int status = caucus_last_keep(comm, context, delete_from);
    if (!status)
        status = caucus_keyval_set(&kept, comm, context);
    if (status) {
        caucus_last_forget(context);
        free(context);
    } else {
        *made = context;
    }
    return status;
}

int caucus_context_of_group(struct caucus_context *parent, struct caucus_light_group *group,
                            struct caucus_context **made) {
    struct caucus_context *context = caucus_array(1, sizeof *context);
    int status = context ? caucus_group_reserve(group, &context->reserved) : CAUCUS_NO_MEMORY;
    if (status) {
        free(context);
        return status;
    }
    context->comm = MPI_COMM_NULL;
    context->group = context->alone.group = group;
    context->parent = parent;
    caucus_context_hold(parent);
    context->settings = parent->settings;
    context->references = 1;
    context->rank = group->rank;
    context->size = context->local.size = group->size;
    *made = context;
    return CAUCUS_OK;
}

int caucus_context_create(MPI_Comm comm, struct caucus_context **context) {
    struct caucus_context_settings settings;
    double timeout;
    int status = read_settings(&settings);
    if (!status)
        status = caucus_engine_read_timeout(&timeout);
    if (!status)
        status = make(comm, context);
    if (status)
        return status;
    (*context)->settings = settings;
    (*context)->timeout = timeout;
    return CAUCUS_OK;
}

/* *context: what is kept with comm, or NULL; then it is made here, on failure too. */
static int attach(MPI_Comm comm, struct caucus_context **context) {
    struct caucus_attachment *attachment;
    int status = caucus_roll_call_on(comm);
    if (!status)
        status = caucus_attach(comm, &attachment);
    if (status)
        return status;
    int own = *context ? CAUCUS_OK : make(comm, context);
    status = caucus_agree(&attachment->peers, own, 0, NULL);
    if (status)
        return status;
    (*context)->attachment = attachment;
    return fill(*context);
}

int caucus_context_get(MPI_Comm comm, struct caucus_context **context) {
    struct caucus_context *there = caucus_context_kept(comm), *made = there;
    int status = there && there->cache ? CAUCUS_OK : attach(comm, &made);
    if (!status)
        *context = made;
    else if (there)
        detach(there);
    else
        caucus_keyval_delete(&kept, comm);
    return status;
}

void caucus_context_hold(struct caucus_context *context) {
    context->references++;
}

static bool has_failed(const struct caucus_engine *engine) {
    return engine && (engine->has_failed || engine->attachment->given_up);
}

void caucus_context_let_go(struct caucus_context *context) {
    if (--context->references > 0)
        return;
    if (context->group)
        context->group->has_failed =
            has_failed(context->engine) || has_failed(context->alone.engine) || context->given_up;
    caucus_cache_free(context->cache);
    caucus_alone_free(&context->alone);
    caucus_neighbors_free(&context->neighbors);
    detach(context);
    if (context->reserved)
        caucus_attachment_let_go(context->reserved);
    if (context->group) {
        caucus_group_end(context->group);
        caucus_context_let_go(context->parent);
    }
    free(context);
}

int caucus_context_find_neighbors(struct caucus_context *context) {
    int status = CAUCUS_OK;
    if (!context->neighbors_known)
        status = caucus_neighbors_create(context->comm, &context->neighbors);
    context->neighbors_known = !status;
    return status;
}

int caucus_context_raise(const struct caucus_context *context, bool agreed, const char *function,
                         int status) {
    if (!status || !context)
        return caucus_raise(MPI_COMM_SELF, NULL, function, status);
    int first_group = context->local.first ? context->remote.size : context->local.size;
    if (!agreed)
        caucus_fail_in(status, CAUCUS_RANK, context->rank);
    caucus_rank_text_settle(
        (struct caucus_reader){context->between ? first_group : 0, context->rank});
    MPI_Comm own = context->group ? context->parent->comm : context->comm;
    MPI_Comm comm = own == MPI_COMM_NULL ? MPI_COMM_SELF : own;
    return caucus_raise(comm, agreed && comm == own ? context->attachment : NULL, function, status);
}
