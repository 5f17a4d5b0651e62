/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/watchdog.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 1000000000 }; /* seconds */

struct caucus_watchdog {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over;
    double seconds;
    const char *words;
};

static struct timespec after(double seconds) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    double whole = floor(fmin(seconds, LONGEST));
    at.tv_sec += (time_t)whole;
    at.tv_nsec += (long)((fmin(seconds, LONGEST) - whole) * 1e9);
    if (at.tv_nsec >= 1000000000) {
        at.tv_nsec -= 1000000000;
        at.tv_sec++;
    }
    return at;
}

/* MPI can't be asked to abort: it hangs in another thread. */
static void *watch(void *context) {
    struct caucus_watchdog *watchdog = context;
    const struct timespec until = after(watchdog->seconds);
    int code = 0;
    pthread_mutex_lock(&watchdog->lock);
    while (!watchdog->over && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&watchdog->changed, &watchdog->lock, &until);
    if (!watchdog->over) {
        fprintf(stderr, "caucus: %s within %g s: this process ends\n", watchdog->words,
                watchdog->seconds);
        _exit(EXIT_FAILURE);
    }
    pthread_mutex_unlock(&watchdog->lock);
    return NULL;
}

struct caucus_watchdog *caucus_watchdog_start(double seconds, const char *words) {
    struct caucus_watchdog *watchdog = caucus_array(1, sizeof *watchdog);
    pthread_condattr_t attributes; /* so that a clock that is set does not end the process */
    if (!watchdog)
        return NULL;
    watchdog->seconds = seconds;
    watchdog->words = words;
    pthread_mutex_init(&watchdog->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&watchdog->thread, NULL, watch, watchdog) == 0)
        return watchdog;
    pthread_cond_destroy(&watchdog->changed);
    pthread_mutex_destroy(&watchdog->lock);
    free(watchdog);
    return NULL;
}

void caucus_watchdog_call_off(struct caucus_watchdog *watchdog) {
    pthread_mutex_lock(&watchdog->lock);
    watchdog->over = true;
    pthread_cond_signal(&watchdog->changed);
    pthread_mutex_unlock(&watchdog->lock);
    pthread_join(watchdog->thread, NULL);
    pthread_cond_destroy(&watchdog->changed);
    pthread_mutex_destroy(&watchdog->lock);
    free(watchdog);
}
