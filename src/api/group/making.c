/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/group/making.h"

#include "api/collective/pending.h"
#include "api/collective/request.h"
#include "api/common/raise.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct making {
    struct caucus_pending pending; /* first */
    struct caucus_context *parent; /* the request holds it */
    struct caucus_context *old;    /* held, or NULL */
    struct caucus_light_group *group;
    struct caucus_merging *merging;
    caucus_group *handle;
    int *instead; /* or NULL */
};

static int advance_group(struct caucus_pending *pending, bool *complete) {
    struct making *making = (struct making *)pending;
    int status = caucus_group_advance(making->group, complete);
    if (status || !*complete)
        return status;
    struct caucus_light_group *group = making->group;
    making->group = NULL;
    return caucus_group_wrap(making->parent, group, making->handle);
}

static int advance_merging(struct caucus_pending *pending, bool *complete) {
    struct making *making = (struct making *)pending;
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

static void free_making(struct caucus_pending *pending) {
    struct making *making = (struct making *)pending;
    if (making->group)
        caucus_group_end(making->group);
    if (making->merging)
        caucus_merging_free(making->merging);
    if (making->old)
        caucus_context_let_go(making->old);
    free(making);
}

int caucus_making_clear(caucus_request *request) {
    if (!request)
        return caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
    *request = CAUCUS_REQUEST_NULL;
    return CAUCUS_OK;
}

static struct making *make(struct caucus_context *parent, struct caucus_request_object **object) {
    struct making *making = caucus_array(1, sizeof *making);
    *object = making ? caucus_request_create(parent, MPI_OP_NULL) : NULL;
    if (*object)
        return making;
    free(making);
    return NULL;
}

int caucus_making_of_group(struct caucus_context *parent, struct caucus_light_group *group,
                           caucus_group *handle, caucus_request *request) {
    struct caucus_request_object *object;
    struct making *making = make(parent, &object); /* before others hear of it */
    group->objects = !making;
    caucus_group_begin(group);
    if (!making) {
        caucus_group_end(group);
        return CAUCUS_NO_MEMORY;
    }
    *making = (struct making){.pending = {.advance = advance_group, .free = free_making},
                              .parent = parent,
                              .group = group,
                              .handle = handle};
    *request = object;
    caucus_pending_add(&making->pending, object);
    return CAUCUS_OK;
}

/* Those who wait for this member hear of it. */
static int begin_without_memory(struct caucus_merging_wish wish) {
    struct caucus_merging *merging;
    char *text = strdup(caucus_error_text());
    if (!wish.status)
        wish.status = CAUCUS_NO_MEMORY;
    if (!caucus_merging_begin(&wish, &merging))
        caucus_merging_free(merging);
    return caucus_fail_again(wish.status, text);
}

int caucus_making_of_merging(struct caucus_context *parent, struct caucus_context *old,
                             const struct caucus_merging_wish *wish, caucus_group *handle,
                             int *instead, caucus_request *request) {
    struct caucus_request_object *object;
    struct caucus_merging *merging;
    struct making *making = make(parent, &object); /* before others hear of it */
    if (!making)
        return begin_without_memory(*wish);
    int status = caucus_merging_begin(wish, &merging);
    if (status) {
        caucus_request_destroy(object);
        free(making);
        return status;
    }
    *making = (struct making){.pending = {.advance = advance_merging, .free = free_making},
                              .parent = parent,
                              .old = old,
                              .merging = merging,
                              .handle = handle,
                              .instead = instead};
    if (old)
        caucus_context_hold(old);
    *request = object;
    caucus_pending_add(&making->pending, object);
    return CAUCUS_OK;
}

int caucus_making_await(const char *function, int code, caucus_request *request) {
    if (code)
        return code;
    struct caucus_context *context = (*request)->context;
    caucus_context_hold(context);
    caucus_request_await(*request);
    code = caucus_context_raise(context, false, function, caucus_request_finish(request));
    caucus_context_let_go(context);
    return code;
}
