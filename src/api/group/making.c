/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/group/making.h"

#include "api/collective/errands.h"
#include "api/collective/requests.h"
#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct making {
    struct caucus_errand errand; /* first */
    struct caucus_team *parent;  /* the request holds it */
    struct caucus_team *old;     /* held, or NULL */
    struct caucus_light_group *group;
    struct caucus_merging *merging;
    caucus_group *handle;
    int *instead; /* or NULL */
};

static int advance_group(struct caucus_errand *errand, bool *complete) {
    struct making *making = (struct making *)errand;
    int status = caucus_group_advance(making->group, complete);
    if (status || !*complete)
        return status;
    struct caucus_light_group *group = making->group;
    making->group = NULL;
    return caucus_group_wrap(making->parent, group, making->handle);
}

static int advance_merging(struct caucus_errand *errand, bool *complete) {
    struct making *making = (struct making *)errand;
    struct caucus_light_group *group;
    int status = caucus_merging_advance(making->merging, complete);
    if (status || !*complete)
        return status;
    int instead;
    status = caucus_merging_take(making->merging, &group, &instead);
    if (making->instead)
        *making->instead = instead < 0 ? MPI_PROC_NULL : instead;
    if (status || !group)
        return status;
    return caucus_group_wrap(making->parent, group, making->handle);
}

static void free_making(struct caucus_errand *errand) {
    struct making *making = (struct making *)errand;
    if (making->group)
        caucus_group_end(making->group);
    if (making->merging)
        caucus_merging_free(making->merging);
    if (making->old)
        caucus_team_let_go(making->old);
    free(making);
}

static int clear(caucus_request *request) {
    if (!request)
        return caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
    *request = CAUCUS_REQUEST_NULL;
    return CAUCUS_OK;
}

int caucus_making_check(MPI_Comm comm, const char *function, caucus_request *request) {
    int status = clear(request);
    return status ? caucus_raise(comm, NULL, function, status) : MPI_SUCCESS;
}

int caucus_making_check_of(const struct caucus_team *team, const char *function,
                           caucus_request *request) {
    int status = clear(request);
    return status ? caucus_team_raise(team, false, function, status) : MPI_SUCCESS;
}

static int begin(struct making *given, caucus_request *request) {
    struct making *making = caucus_array_copy(given, 1, sizeof *given);
    if (making)
        return caucus_errand_begin(&making->errand, making->parent, request);
    if (given->group)
        caucus_group_end(given->group);
    if (given->merging)
        caucus_merging_free(given->merging);
    return CAUCUS_NO_MEMORY;
}

int caucus_making_of_group(struct caucus_team *parent, struct caucus_light_group *group,
                           caucus_group *handle, caucus_request *request) {
    struct making making = {.errand = {.advance = advance_group, .free = free_making},
                            .parent = parent,
                            .group = group,
                            .handle = handle};
    caucus_group_begin(group);
    return begin(&making, request);
}

int caucus_making_of_merging(struct caucus_team *parent, struct caucus_team *old,
                             struct caucus_merging *merging, caucus_group *handle, int *instead,
                             caucus_request *request) {
    struct making making = {.errand = {.advance = advance_merging, .free = free_making},
                            .parent = parent,
                            .old = old,
                            .merging = merging,
                            .handle = handle,
                            .instead = instead};
    if (old)
        caucus_team_hold(old);
    return begin(&making, request);
}

int caucus_making_await(const char *function, caucus_request *request) {
    struct caucus_team *team = (*request)->team;
    caucus_team_hold(team);
    caucus_request_await(*request);
    int status = caucus_request_finish(request);
    int code = status ? caucus_team_raise(team, false, function, status) : MPI_SUCCESS;
    caucus_team_let_go(team);
    return code;
}
