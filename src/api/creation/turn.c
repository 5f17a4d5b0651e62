/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/creation/turn.h"

#include "run/progress/progress.h"

#include <pthread.h>
#include <sched.h>

static struct caucus_creation_turn *oldest, **youngest = &oldest;
static int64_t begun;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void caucus_creation_turn_begin(struct caucus_creation_turn *turn) {
    pthread_mutex_lock(&lock);
    turn->number = ++begun;
    turn->next = NULL;
    *youngest = turn;
    youngest = &turn->next;
    pthread_mutex_unlock(&lock);
}

bool caucus_creation_turn_has_come(const struct caucus_creation_turn *turn) {
    pthread_mutex_lock(&lock);
    bool has = oldest == turn;
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

static bool waits_any(int64_t number) {
    pthread_mutex_lock(&lock);
    bool any = oldest && oldest->number <= number;
    pthread_mutex_unlock(&lock);
    return any;
}

void caucus_creation_turns_await(void) {
    pthread_mutex_lock(&lock);
    int64_t last = begun;
    pthread_mutex_unlock(&lock);
    while (waits_any(last)) {
        caucus_progress();
        sched_yield();
    }
}
