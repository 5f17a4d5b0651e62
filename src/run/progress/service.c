/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/progress/service.h"

#include "run/progress/progress.h"
#include "run/support/waits.h"

#include <pthread.h>
#include <stddef.h>

static struct caucus_service *services;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct caucus_progress_work owed = {.stage = CAUCUS_PROGRESS_SERVICES, .move = caucus_serve};

void caucus_service_add(struct caucus_service *service) {
    pthread_mutex_lock(&lock);
    service->next = services;
    services = service;
    pthread_mutex_unlock(&lock);
}

void caucus_service_remove(struct caucus_service *service) {
    pthread_mutex_lock(&lock);
    struct caucus_service **at = &services;
    while (*at && *at != service)
        at = &(*at)->next;
    if (*at)
        *at = service->next;
    pthread_mutex_unlock(&lock);
}

void caucus_service_owe(int change) {
    caucus_progress_change(&owed, change);
}

/* The next one in turn, held. */
static struct caucus_service *take_turn(void) {
    struct caucus_service *service = services, **last = &services;
    if (!service)
        return NULL;
    services = service->next;
    while (*last)
        last = &(*last)->next;
    *last = service;
    service->next = NULL;
    return service->hold(service->context) ? service : NULL;
}

/* The lock is not kept: who frees a communicator takes it, perhaps under a lock of MPI's that the
 * service waits for. */
void caucus_serve(void) {
    caucus_waits_look();
    if (caucus_progress_left(&owed) == 0 || pthread_mutex_trylock(&lock) != 0)
        return;
    struct caucus_service *service = take_turn();
    pthread_mutex_unlock(&lock);
    if (!service)
        return;
    void (*let_go)(void *context) = service->let_go;
    void *context = service->context;
    service->serve(context);
    let_go(context);
}
