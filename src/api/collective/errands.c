/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/errands.h"

#include "base/status.h"

#include <pthread.h>

static struct caucus_errand *first, **last = &first; /* in the order of their beginnings */
static _Atomic int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool caucus_errands_any(void) {
    return count > 0;
}

int caucus_errand_begin(struct caucus_errand *errand, struct caucus_team *team,
                        caucus_request *request) {
    struct caucus_request_object *object = caucus_request_create(team, MPI_OP_NULL);
    if (!object) {
        errand->free(errand);
        return CAUCUS_NO_MEMORY;
    }
    errand->request = object;
    object->active = true;
    object->errand = errand;
    *request = object;
    pthread_mutex_lock(&lock);
    errand->next = NULL;
    *last = errand;
    last = &errand->next;
    count++;
    pthread_mutex_unlock(&lock);
    return CAUCUS_OK;
}

static void end(struct caucus_errand *errand, int status) {
    struct caucus_request_object *request = errand->request;
    request->errand = NULL;
    errand->free(errand);
    caucus_request_end(request, status); /* and others may free it */
    count--;
}

/* Looks at all until one is complete but for what may wait, which is no longer in the list then;
 * NULL: none is. Under the lock. */
static struct caucus_errand *look(void) {
    for (struct caucus_errand **at = &first; *at;) {
        struct caucus_errand *errand = *at;
        bool complete = false;
        int status = errand->advance(errand, &complete);
        if (!complete && !status) {
            at = &errand->next;
            continue;
        }
        *at = errand->next;
        if (!*at)
            last = at;
        if (!status && errand->finish)
            return errand;
        end(errand, status);
    }
    return NULL;
}

void caucus_errands_progress(void) {
    while (caucus_errands_any() && pthread_mutex_trylock(&lock) == 0) {
        struct caucus_errand *errand = look();
        pthread_mutex_unlock(&lock);
        if (!errand)
            return;
        end(errand, errand->finish(errand));
    }
}

void caucus_errand_limit(const struct caucus_request_object *request, double *begin) {
    pthread_mutex_lock(&lock);
    struct caucus_errand *errand = first; /* else another thread is ending it */
    while (errand && errand->request != request)
        errand = errand->next;
    if (errand && errand->limit)
        errand->limit(errand, begin);
    pthread_mutex_unlock(&lock);
}
