/* SPDX-License-Identifier: BSD-3-Clause */
/* A group falls apart by what its members say: an allgather of their wishes, and each knows. */
#include "plan/group/split.h"
#include "api/collective/pending.h"
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
    struct caucus_pending pending;  /* first */
    struct caucus_context *context; /* held */
    struct caucus_split_wish own, *wishes;
    caucus_request request; /* of the allgather */
    caucus_group *handle;
};

static int find_error(const struct splitting *splitting) {
    for (int32_t i = 0; i < splitting->context->size; i++) {
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
        caucus_group_part_not(splitting->context->group, &splitting->own);
        return status;
    }
    status = caucus_group_part(splitting->context->group, splitting->wishes, &group);
    if (status || !group)
        return status;
    return caucus_group_wrap(splitting->context->parent, group, splitting->handle);
}

static int advance(struct caucus_pending *pending, bool *complete) {
    struct splitting *splitting = (struct splitting *)pending;
    caucus_request_advance(splitting->request);
    *complete = splitting->request->complete;
    if (!*complete)
        return CAUCUS_OK;
    int status = caucus_request_finish(&splitting->request);
    return status ? status : finish(splitting);
}

static void limit(struct caucus_pending *pending, double *begin) {
    caucus_request_limit(((struct splitting *)pending)->request, begin);
}

static void free_splitting(struct caucus_pending *pending) {
    struct splitting *splitting = (struct splitting *)pending;
    caucus_context_let_go(splitting->context);
    free(splitting->wishes);
    free(splitting);
}

/* What this member says, its errors included: all are to have them. */
static struct caucus_split_wish wish_of(const struct caucus_light_group *group, int color, int key,
                                        caucus_group *handle) {
    struct caucus_split_wish wish = {color == MPI_UNDEFINED ? -1 : color, key, -1, 0};
    if (color < 0 && color != MPI_UNDEFINED)
        return (struct caucus_split_wish){ERRS, BAD_COLOR, color, 0};
    if (!handle)
        return (struct caucus_split_wish){ERRS, NO_HANDLE, -1, 0};
    if (caucus_group_part_begin(group, &wish))
        return (struct caucus_split_wish){ERRS, NO_NUMBER, -1, 0};
    return wish;
}

/* All that it takes here, before others hear of it. */
static struct splitting *make(struct caucus_context *context, caucus_group *handle,
                              struct caucus_request_object **object) {
    struct splitting *splitting = caucus_array(1, sizeof *splitting);
    struct caucus_split_wish *wishes = caucus_array(context->size, sizeof *wishes);
    *object = splitting && wishes ? caucus_request_create(context->parent, MPI_OP_NULL) : NULL;
    if (!*object) {
        free(splitting);
        free(wishes);
        return NULL;
    }
    caucus_context_hold(context);
    splitting->pending =
        (struct caucus_pending){.advance = advance, .limit = limit, .free = free_splitting};
    splitting->context = context;
    splitting->wishes = wishes;
    splitting->handle = handle;
    return splitting;
}

static int split(const char *function, caucus_group parent, int color, int key, caucus_group *group,
                 caucus_request *request) {
    int status = caucus_group_check(parent);
    if (!status)
        status = caucus_making_clear(request);
    if (status)
        return caucus_group_conclude(parent, function, status);
    if (group)
        *group = CAUCUS_GROUP_NULL;
    struct caucus_context *context = parent->context;
    struct caucus_request_object *object;
    struct splitting *splitting = make(context, group, &object);
    if (!splitting)
        return caucus_context_raise(context, false, function, CAUCUS_NO_MEMORY);
    splitting->own = wish_of(context->group, color, key, group);
    int code = caucus_group_iallgather(&splitting->own, WORDS, MPI_INT32_T, splitting->wishes,
                                       WORDS, MPI_INT32_T, parent, &splitting->request);
    if (code) {
        caucus_group_part_not(context->group, &splitting->own);
        free_splitting(&splitting->pending);
        caucus_request_destroy(object);
        return code;
    }
    *request = object;
    caucus_pending_add(&splitting->pending, object);
    return MPI_SUCCESS;
}

int caucus_group_isplit(caucus_group group, int color, int key, caucus_group *newgroup,
                        caucus_request *request) {
    return split(__func__, group, color, key, newgroup, request);
}

int caucus_group_split(caucus_group group, int color, int key, caucus_group *newgroup) {
    caucus_request request;
    int code = split(__func__, group, color, key, newgroup, &request);
    return caucus_making_await(__func__, code, &request);
}
