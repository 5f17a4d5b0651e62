/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/progress/progress.h"

#include "run/support/waits.h"

#include <pthread.h>

static struct caucus_progress_work *_Atomic first[CAUCUS_PROGRESS_STAGES];

void caucus_progress_register(struct caucus_progress_work *work) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!work->is_registered) {
        work->next = first[work->stage];
        first[work->stage] = work;
        work->is_registered = true;
    }
    pthread_mutex_unlock(&lock);
}

void caucus_progress_change(struct caucus_progress_work *work, int change) {
    if (!atomic_load_explicit(&work->is_registered, memory_order_acquire))
        caucus_progress_register(work);
    work->left += change;
}

/* What has become active meanwhile is counted as such, since that is looked at later. */
int caucus_progress_count(enum caucus_progress_stage last) {
    int left = 0;
    for (int stage = 0; stage <= (int)last; stage++)
        for (struct caucus_progress_work *work = first[stage]; work; work = work->next)
            left += work->left;
    return left;
}

int caucus_progress_up_to(enum caucus_progress_stage last) {
    caucus_waits_look();
    for (int stage = 0; stage <= (int)last; stage++)
        for (struct caucus_progress_work *work = first[stage]; work; work = work->next)
            if (caucus_progress_left(work) > 0)
                work->move();
    return caucus_progress_count(last);
}

int caucus_progress(void) {
    return caucus_progress_up_to(CAUCUS_PROGRESS_SERVICES);
}
