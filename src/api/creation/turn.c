/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/creation/turn.h"

#include "run/progress/progress.h"

#include <pthread.h>
#include <sched.h>

static struct caucus_creation_turn *oldest, **youngest = &oldest;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void caucus_creation_turn_begin(struct caucus_creation_turn *turn) {
    pthread_mutex_lock(&lock);
    turn->thread = pthread_self();
    turn->next = NULL;
    *youngest = turn;
    youngest = &turn->next;
    pthread_mutex_unlock(&lock);
}

/* Under the lock. */
static const struct caucus_creation_turn *oldest_of(pthread_t thread) {
    const struct caucus_creation_turn *at = oldest;
    while (at && !pthread_equal(at->thread, thread))
        at = at->next;
    return at;
}

/* Another thread may ask. */
bool caucus_creation_turn_has_come(const struct caucus_creation_turn *turn) {
    pthread_mutex_lock(&lock);
    bool has = oldest_of(turn->thread) == turn;
    pthread_mutex_unlock(&lock);
    return has;
}

void caucus_creation_turn_end(struct caucus_creation_turn *turn) {
    pthread_mutex_lock(&lock);
    struct caucus_creation_turn **at = &oldest;
    while (*at && *at != turn)
        at = &(*at)->next;
    if (*at) {
        *at = turn->next;
        if (!*at)
            youngest = at;
    }
    pthread_mutex_unlock(&lock);
}

static bool waits_any(void) {
    pthread_mutex_lock(&lock);
    bool any = oldest_of(pthread_self());
    pthread_mutex_unlock(&lock);
    return any;
}

void caucus_creation_turns_await(void) {
    while (waits_any()) {
        caucus_progress();
        sched_yield();
    }
}
