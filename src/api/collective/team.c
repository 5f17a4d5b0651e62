/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/team.h"

#include "api/collective/counts.h"
#include "api/collective/forced.h"
#include "api/collective/queued.h"
#include "api/collective/shelf.h"
#include "api/collective/standing.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/exchange.h"
#include "run/execution.h"
#include "run/group/group.h"
#include "run/keyval.h"
#include "run/last.h"
#include "run/together.h"

#include <stdlib.h>
#include <string.h>

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra);

static struct caucus_keyval kept = CAUCUS_KEYVAL(MPI_COMM_NULL_COPY_FN, on_delete);

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    struct caucus_team *team = value;
    (void)comm, (void)keyval, (void)extra;
    team->comm = MPI_COMM_NULL;
    caucus_last_forget(team);
    caucus_team_let_go(team);
    caucus_keyval_deleted(&kept);
    return MPI_SUCCESS;
}

static void delete_from(MPI_Comm comm) {
    caucus_keyval_delete(&kept, comm);
}

static int keep(MPI_Comm comm, struct caucus_team *team) {
    int status = caucus_last_keep(comm, team, delete_from);
    if (!status)
        status = caucus_keyval_set(&kept, comm, team);
    if (status)
        caucus_last_forget(team);
    return status;
}

int caucus_team_read_requests(struct caucus_team_settings *settings, const char *where,
                              const char *text) {
    settings->rebuilds = strcmp(text, "rebuild") == 0;
    bool immediate = settings->rebuilds || strcmp(text, "immediate") == 0;
    settings->requests_at_init = strcmp(text, "kept") == 0;
    settings->sending = immediate ? CAUCUS_SENDING_IMMEDIATE : CAUCUS_SENDING_KEPT;
    if (!immediate && !settings->requests_at_init && strcmp(text, "first") != 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "%s is '%.60s': it must be immediate, kept, first or rebuild", where,
                           text);
    return CAUCUS_OK;
}

/* Before it is attached a rank takes its own group for the first one. */
static void find_groups(struct caucus_team *team) {
    int inter, rank;
    PMPI_Comm_test_inter(team->comm, &inter);
    PMPI_Comm_rank(team->comm, &rank);
    PMPI_Comm_size(team->comm, &team->local.size);
    team->between = inter;
    if (inter)
        PMPI_Comm_remote_size(team->comm, &team->remote.size);
    bool second = team->attachment && team->attachment->rank != rank;
    team->local.first = second ? team->remote.size : 0;
    team->remote.first = second ? 0 : team->local.size;
    team->rank = team->local.first + rank;
    team->size = team->local.size + team->remote.size;
}

static int read_settings(struct caucus_team_settings *settings) {
    const char *path = caucus_setting_text(CAUCUS_SETTING_MODEL);
    const char *forced = caucus_setting_text(CAUCUS_SETTING_ALGORITHM);
    int64_t check = 0;
    caucus_model_default(&settings->model);
    int status = *path ? caucus_model_read(&settings->model, path) : CAUCUS_OK;
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_CHECK, 0, &check);
    settings->check = check != 0;
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_GROUP_CALLS, 0, &settings->group_calls);
    if (!status)
        status = caucus_team_read_requests(settings, "CAUCUS_REQUESTS",
                                           caucus_setting_text(CAUCUS_SETTING_REQUESTS));
    if (!status && strlen(forced) >= sizeof settings->forced)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "CAUCUS_ALGORITHM is longer than %d characters",
                             CAUCUS_FORCED_ROOM - 1);
    if (!status) {
        strcpy(settings->forced, forced);
        status = caucus_forced_check(forced);
    }
    return status;
}

static void detach(struct caucus_team *team) {
    caucus_counts_free(team->counts);
    team->counts = NULL;
    if (team->attachment)
        caucus_attachment_let_go(team->attachment);
    team->attachment = NULL;
    team->engine = NULL;
}

/* The parent's settings are the same on all ranks already. */
int caucus_team_attach_group(struct caucus_team *team) {
    int status = caucus_group_await(team->group, caucus_queued_progress);
    if (!status)
        status = caucus_group_attach(team->group, &team->attachment);
    if (!status) /* from here on nobody waits for a rank that waits for something else */
        status = caucus_peers_meet(&team->attachment->peers, caucus_queued_progress);
    if (!status)
        status = caucus_engine_members(team->attachment, caucus_group_tags_engine(team->group),
                                       &team->engine);
    if (!status)
        status = caucus_standing_create(team->engine, &team->standing);
    if (status)
        detach(team);
    return status;
}

static int attach(struct caucus_team *team) {
    caucus_early_await(team->comm);
    int status = caucus_come_together(team->comm, caucus_queued_progress);
    if (!status)
        status = caucus_attach(team->comm, &team->attachment);
    if (status)
        return status;
    find_groups(team);
    caucus_attachment_hold(team->attachment);
    status = caucus_engine_get(team->attachment, &team->engine);
    if (status)
        return status;
    int failed = team->rank == 0 ? read_settings(&team->settings) : CAUCUS_OK;
    status = caucus_agree_root(&team->attachment->peers, 0, failed);
    if (!status)
        status = caucus_share(team->attachment, &team->settings, sizeof team->settings);
    if (!status && team->between)
        status = caucus_counts_create(team->engine, &team->counts);
    return status ? status : caucus_standing_create(team->engine, &team->standing);
}

struct caucus_team *caucus_team_kept(MPI_Comm comm) {
    return caucus_keyval_get(&kept, comm);
}

static struct caucus_team *make(MPI_Comm comm) {
    struct caucus_team *team = caucus_array(1, sizeof *team);
    if (!team || caucus_shelf_create(&team->shelf)) {
        free(team);
        return NULL;
    }
    team->comm = comm;
    team->references = 1;
    find_groups(team);
    return team;
}

int caucus_team_of_group(struct caucus_team *parent, struct caucus_light_group *group,
                         struct caucus_team **made) {
    struct caucus_team *team = caucus_array(1, sizeof *team);
    if (!team || caucus_shelf_create(&team->shelf)) {
        free(team);
        caucus_group_end(group);
        return CAUCUS_NO_MEMORY;
    }
    team->comm = MPI_COMM_NULL;
    team->group = group;
    team->parent = parent;
    caucus_team_hold(parent);
    team->settings = parent->settings;
    team->references = 1;
    team->rank = group->rank;
    team->size = team->local.size = group->size;
    *made = team;
    return CAUCUS_OK;
}

int caucus_team_create(MPI_Comm comm, struct caucus_team **team) {
    struct caucus_team *made = make(comm);
    int status = made ? read_settings(&made->settings) : CAUCUS_NO_MEMORY;
    if (!status)
        status = keep(comm, made);
    if (status && made)
        caucus_team_let_go(made);
    else
        *team = made;
    return status;
}

int caucus_team_get(MPI_Comm comm, struct caucus_team **team) {
    struct caucus_team *there = caucus_team_kept(comm);
    struct caucus_team *made = there ? there : make(comm);
    if (!made)
        return CAUCUS_NO_MEMORY;
    int status = made->standing ? CAUCUS_OK : attach(made);
    if (!status && !there)
        status = keep(comm, made);
    if (!status)
        *team = made;
    else if (there)
        detach(there);
    else
        caucus_team_let_go(made);
    return status;
}

void caucus_team_hold(struct caucus_team *team) {
    team->references++;
}

void caucus_team_let_go(struct caucus_team *team) {
    if (--team->references > 0)
        return;
    caucus_shelf_free(team->shelf);
    caucus_standing_free(team->standing);
    caucus_early_free(team->early);
    caucus_neighbors_free(&team->neighbors);
    detach(team);
    if (team->group) {
        caucus_group_end(team->group);
        caucus_team_let_go(team->parent);
    }
    free(team);
}

int caucus_team_neighbors(struct caucus_team *team, const struct caucus_neighbors **neighbors) {
    int status = CAUCUS_OK;
    if (!team->neighbors_known)
        status = caucus_neighbors_create(team->comm, &team->neighbors);
    team->neighbors_known = !status;
    *neighbors = &team->neighbors;
    return status;
}

int caucus_team_raise(const struct caucus_team *team, bool agreed, const char *function,
                      int status) {
    int first_group = team->local.first ? team->remote.size : team->local.size;
    if (!agreed)
        caucus_fail_in(status, CAUCUS_RANK, team->rank);
    caucus_words_settle((struct caucus_reader){team->between ? first_group : 0, team->rank});
    MPI_Comm own = team->group ? team->parent->comm : team->comm;
    MPI_Comm comm = own == MPI_COMM_NULL ? MPI_COMM_SELF : own;
    return caucus_raise(comm, agreed && comm == own ? team->attachment : NULL, function, status);
}
