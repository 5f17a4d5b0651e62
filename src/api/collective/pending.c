/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/pending.h"

#include "base/status.h"
#include "run/layout/contents.h"
#include "run/progress/progress.h"
#include "run/support/mpi_status.h"
#include "run/support/waits.h"

#include <pthread.h>

static struct caucus_pending *first, **last = &first; /* in the order of their beginnings */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look_at_all(void);
static struct caucus_progress_work work = {.move = look_at_all};

/* Who looks at them just now will tell of nothing: whoever asks may ask again. */
static void tell(void *context, struct caucus_waits *waits, bool apart) {
    (void)context;
    if (apart || pthread_mutex_trylock(&lock) != 0)
        return;
    for (const struct caucus_pending *pending = first; pending; pending = pending->next)
        if (pending->tell)
            pending->tell(pending, waits);
    pthread_mutex_unlock(&lock);
}

void caucus_pending_add(struct caucus_pending *pending, struct caucus_request_object *request) {
    static struct caucus_waits_source source = {.tell = tell};
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&begun))
        caucus_waits_add(&source);
    pending->request = request;
    request->active = true;
    request->pending = pending;
    pthread_mutex_lock(&lock);
    pending->next = NULL;
    *last = pending;
    last = &pending->next;
    caucus_progress_change(&work, 1);
    pthread_mutex_unlock(&lock);
}

/* Whoever sees the request complete may free it, and all that it holds. */
static void end(struct caucus_pending *pending, int status) {
    struct caucus_request_object *request = pending->request;
    bool runs = !status && request->prepared;
    pending->free(pending);
    if (status && request->prepared) { /* or others would take it for begun */
        caucus_cache_give_back(request->context->cache, request->prepared);
        request->prepared = NULL;
    }
    request->pending = NULL;
    if (!runs)
        caucus_request_end(request, status);
    caucus_progress_change(&work, -1);
}

/* Takes one that is over out of the list. Under the lock. */
static void take_out(struct caucus_pending **at) {
    *at = (*at)->next;
    if (!*at)
        last = at;
}

/* Looks at all until one is complete but for what may wait, which is no longer in the list then;
 * NULL: none is. Under the lock. */
static struct caucus_pending *look(void) {
    static uint64_t passes;
    passes++;
    for (struct caucus_pending **at = &first; *at;) {
        struct caucus_pending *pending = *at;
        uint64_t *held_up = &pending->request->context->pending_held_up;
        bool complete = false, waits = pending->in_order && *held_up == passes;
        int status = waits ? CAUCUS_OK : pending->advance(pending, &complete);
        if (!complete && !status) {
            if (pending->in_order)
                *held_up = passes;
            at = &pending->next;
            continue;
        }
        take_out(at);
        if (!status && pending->finish)
            return pending;
        end(pending, status);
    }
    return NULL;
}

static void look_at_all(void) {
    while (caucus_progress_left(&work) > 0 && pthread_mutex_trylock(&lock) == 0) {
        struct caucus_pending *pending = look();
        pthread_mutex_unlock(&lock);
        if (!pending)
            return;
        end(pending, pending->finish(pending));
    }
}

void caucus_pending_look_at(const struct caucus_context *context) {
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    for (struct caucus_pending **at = &first; *at;) {
        struct caucus_pending *pending = *at;
        bool complete = false;
        if (!pending->in_order || pending->request->context != context) {
            at = &pending->next;
            continue;
        }
        int status = pending->advance(pending, &complete);
        if (!complete && !status)
            break;
        take_out(at);
        end(pending, status);
    }
    pthread_mutex_unlock(&lock);
}

/* What is in order waits for all before it. */
static bool waits_for(const struct caucus_pending *own, const struct caucus_pending *other) {
    return other == own ||
           (own->in_order && other->in_order && other->request->context == own->request->context);
}

void caucus_pending_limit(const struct caucus_request_object *request, double *begin) {
    if (pthread_mutex_trylock(&lock) != 0) /* what is pending may itself wait for such a request */
        return;
    struct caucus_pending *own = first; /* else another thread is ending it */
    while (own && own->request != request)
        own = own->next;
    for (struct caucus_pending *at = first; own && at != own->next; at = at->next)
        if (waits_for(own, at) && at->limit)
            at->limit(at, begin);
    pthread_mutex_unlock(&lock);
}

int caucus_pending_type(MPI_Datatype *type, MPI_Datatype *own) {
    MPI_Datatype made;
    if (caucus_type_is_predefined(*type))
        return CAUCUS_OK;
    int status = caucus_mpi_status(PMPI_Type_dup(*type, &made), "MPI_Type_dup");
    if (!status)
        *type = *own = made;
    return status;
}
