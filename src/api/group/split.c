/* SPDX-License-Identifier: BSD-3-Clause */
/* A group falls apart by what its members say: an allgather of their wishes, and each knows. */
#include "plan/group/split.h"
#include "api/collective/errands.h"
#include "api/group/making.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/group.h>
#include <caucus/group_functions.h>

#include <stdlib.h>

enum { WORDS = sizeof(struct caucus_split_wish) / sizeof(int32_t) };

/* Instead of a colour: of a member that erred, whose key says how. */
enum { ERRS = -2, BAD_COLOR = 0, NO_HANDLE = 1, NO_NUMBER = 2 };

struct splitting {
    struct caucus_errand errand; /* first */
    struct caucus_team *team;    /* held */
    struct caucus_split_wish own, *wishes;
    caucus_request request; /* of the allgather */
    caucus_group *handle;
};

static int find_error(const struct splitting *splitting) {
    for (int32_t i = 0; i < splitting->team->size; i++) {
        const struct caucus_split_wish *wish = &splitting->wishes[i];
        if (wish->colour != ERRS)
            continue;
        if (wish->key == BAD_COLOR)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d: color is %d: it must be at least 0, or MPI_UNDEFINED", i,
                               wish->slot);
        if (wish->key == NO_HANDLE)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "rank %d: the new group is a null pointer", i);
        return caucus_fail(CAUCUS_NO_MEMORY, "rank %d has as many groups as MPI_TAG_UB allows", i);
    }
    return CAUCUS_OK;
}

static int finish(struct splitting *splitting) {
    struct caucus_light_group *group = NULL;
    int status = find_error(splitting);
    if (status) {
        caucus_group_part_not(splitting->team->group, &splitting->own);
        return status;
    }
    status = caucus_group_part(splitting->team->group, splitting->wishes, &group);
    if (status || !group)
        return status;
    return caucus_group_wrap(splitting->team->parent, group, splitting->handle);
}

static int advance(struct caucus_errand *errand, bool *complete) {
    struct splitting *splitting = (struct splitting *)errand;
    caucus_request_advance(splitting->request);
    *complete = splitting->request->complete;
    if (!*complete)
        return CAUCUS_OK;
    int status = caucus_request_finish(&splitting->request);
    return status ? status : finish(splitting);
}

static void limit(struct caucus_errand *errand, double *begin) {
    caucus_request_limit(((struct splitting *)errand)->request, begin);
}

static void free_splitting(struct caucus_errand *errand) {
    struct splitting *splitting = (struct splitting *)errand;
    if (splitting->request) { /* no memory for the errand's own: the wishes are in use */
        caucus_request_await(splitting->request);
        caucus_request_finish(&splitting->request);
    }
    caucus_team_let_go(splitting->team);
    free(splitting->wishes);
    free(splitting);
}

/* What this member says, its errors included: all are to have them. */
static struct caucus_split_wish wish_of(const struct caucus_light_group *group, int color, int key,
                                        caucus_group *handle) {
    struct caucus_split_wish wish = {color == MPI_UNDEFINED ? -1 : color, key, -1};
    if (color < 0 && color != MPI_UNDEFINED)
        return (struct caucus_split_wish){ERRS, BAD_COLOR, color};
    if (!handle)
        return (struct caucus_split_wish){ERRS, NO_HANDLE, -1};
    if (caucus_group_part_begin(group, &wish))
        return (struct caucus_split_wish){ERRS, NO_NUMBER, -1};
    return wish;
}

static struct splitting *make(struct caucus_team *team, caucus_group *handle) {
    struct splitting *splitting = caucus_array(1, sizeof *splitting);
    struct caucus_split_wish *wishes = caucus_array(team->size, sizeof *wishes);
    if (!splitting || !wishes) {
        free(splitting);
        free(wishes);
        return NULL;
    }
    caucus_team_hold(team);
    splitting->errand =
        (struct caucus_errand){.advance = advance, .limit = limit, .free = free_splitting};
    splitting->team = team;
    splitting->wishes = wishes;
    splitting->handle = handle;
    return splitting;
}

static int split(const char *function, caucus_group parent, int color, int key, caucus_group *group,
                 caucus_request *request) {
    int code = caucus_group_check(parent, function);
    if (!code)
        code = caucus_making_check_of(parent->team, function, request);
    if (code)
        return code;
    if (group)
        *group = CAUCUS_GROUP_NULL;
    struct caucus_team *team = parent->team;
    struct splitting *splitting = make(team, group);
    if (!splitting)
        return caucus_team_raise(team, false, function, CAUCUS_NO_MEMORY);
    splitting->own = wish_of(team->group, color, key, group);
    code = caucus_group_iallgather(&splitting->own, WORDS, MPI_INT32_T, splitting->wishes, WORDS,
                                   MPI_INT32_T, parent, &splitting->request);
    if (code) {
        caucus_group_part_not(team->group, &splitting->own);
        free_splitting(&splitting->errand);
        return code;
    }
    int status = caucus_errand_begin(&splitting->errand, team->parent, request);
    return status ? caucus_team_raise(team, false, function, status) : MPI_SUCCESS;
}

int caucus_group_isplit(caucus_group group, int color, int key, caucus_group *newgroup,
                        caucus_request *request) {
    return split(__func__, group, color, key, newgroup, request);
}

int caucus_group_split(caucus_group group, int color, int key, caucus_group *newgroup) {
    caucus_request request;
    int code = split(__func__, group, color, key, newgroup, &request);
    return code ? code : caucus_making_await(__func__, &request);
}
