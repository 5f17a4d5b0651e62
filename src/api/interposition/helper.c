/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/helper.h"

#include "run/progress/progress.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool runs;
static _Atomic bool ends;
static _Atomic int blocked; /* threads that are within MPI */

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ends) {
        if (blocked == 0) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        while (blocked > 0) {
            caucus_progress();
            sched_yield();
        }
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

/* Without the thread, others wait until this one comes back: as if there were no helper. */
void caucus_helper_begin(void) {
    pthread_mutex_lock(&lock);
    if (!runs)
        runs = pthread_create(&thread, NULL, work, NULL) == 0;
    blocked++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

void caucus_helper_leave(void) {
    blocked--;
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
