/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/helper.h"

#include "api/interposition/progress.h"
#include "api/interposition/proxies.h"
#include "run/progress/progress.h"

#include <pthread.h>
#include <time.h>

enum { NAP = 50000 /* nanoseconds */, IDLE_NAPS = 100 };

bool caucus_helper_offered;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool runs; /* under the lock */
static _Atomic bool ends, awake;
static _Atomic int within; /* threads that are within MPI */

/* Who goes into MPI is counted, and then looks at what is active; who starts one does it the other
 * way round: so one of them sees both. */
static bool any_is_active(void) {
    return caucus_progress_count(CAUCUS_PROGRESS_ACTIVE) > 0 && caucus_proxies_exist();
}

static bool is_needed(void) {
    return within > 0 && any_is_active();
}

static void nap(void) {
    const struct timespec time = {.tv_nsec = NAP};
    nanosleep(&time, NULL);
}

/* Until nobody has needed it for a while: a program that starts again and again does not pay for
 * waking it each time. The others may need the processor, and what the looks lock. */
static void help(void) {
    for (int looks = 0, idle = 0; idle < IDLE_NAPS && !ends;) {
        bool needed = is_needed();
        looks = needed ? looks + 1 : 0;
        idle = needed ? 0 : idle + 1;
        if (needed)
            caucus_progress();
        if (looks == 0 || looks > CAUCUS_QUICK_LOOKS)
            nap();
    }
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ends) {
        awake = false; /* first, so that nobody is missed who comes after the look */
        if (!is_needed()) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        awake = true;
        pthread_mutex_unlock(&lock);
        help();
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

/* Without the thread, others wait until this one comes back: as if there were no helper. */
static void wake(void) {
    if (awake)
        return;
    pthread_mutex_lock(&lock);
    if (!runs && !ends)
        runs = pthread_create(&thread, NULL, work, NULL) == 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

void caucus_helper_count_in(void) {
    within++;
    if (any_is_active())
        wake();
}

void caucus_helper_count_out(void) {
    within--;
}

void caucus_helper_look(void) {
    if (within > 0)
        wake();
}

void caucus_helper_end(void) {
    pthread_mutex_lock(&lock);
    bool joins = runs;
    runs = false;
    ends = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    if (joins)
        pthread_join(thread, NULL);
}
