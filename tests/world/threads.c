/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank are further fibers; locks and conditions are kept in the memory of their own.
 */
#include "world.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

struct lock { /* lies where a pthread_mutex_t does; all 0 is unlocked */
    struct fiber *owner;
};
struct condition {
    struct waiting *first; /* who waits, in memory of its own */
};

static bool is_over(void *argument) {
    return ((struct fiber *)argument)->over;
}

int world_pthread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*start)(void *),
                         void *argument) {
    (void)attributes;
    struct fiber *fiber = fiber_create(self->process, start, argument);
    *made = (pthread_t)(void *)fiber;
    happened();
    choose("pthread_create");
    return 0;
}

int world_pthread_join(pthread_t thread, void **result) {
    struct fiber *fiber = (struct fiber *)(void *)thread;
    if (!fiber->over)
        wait_for(is_over, fiber, (struct call){"pthread_join", -1, -1, -1});
    if (result)
        *result = fiber->result;
    return 0;
}

int world_pthread_detach(pthread_t thread) {
    (void)thread;
    return 0;
}

pthread_t world_pthread_self(void) {
    return (pthread_t)(void *)self;
}

int world_pthread_equal(pthread_t one, pthread_t other) {
    return one == other;
}

/* ---- locks ---- */
static struct lock *lock_of(pthread_mutex_t *mutex) {
    return (struct lock *)(void *)mutex;
}

static bool is_unlocked(void *argument) {
    const struct lock *lock = argument;
    return !lock->owner || lock->owner == self;
}

/* Mostly whoever waits gets it: a thread that takes it again at once must not keep it for ever. */
static struct fiber *next_holder(const struct lock *lock) {
    for (struct fiber *fiber = fibers; fiber; fiber = fiber->next)
        if (!fiber->over && fiber->ready == is_unlocked && fiber->argument == lock && draw(4) < 3)
            return fiber;
    return NULL;
}

int world_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    (void)attributes;
    memset(mutex, 0, sizeof *mutex);
    return 0;
}

int world_pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int world_pthread_mutex_trylock(pthread_mutex_t *mutex) {
    struct lock *lock = lock_of(mutex);
    if (lock->owner)
        return EBUSY;
    lock->owner = self;
    return 0;
}

/* Who has the lock that the fiber waits for; NULL if it waits for something else. */
const struct fiber *lock_holder(const struct fiber *fiber) {
    return fiber->ready == is_unlocked ? ((struct lock *)fiber->argument)->owner : NULL;
}

int world_pthread_mutex_lock(pthread_mutex_t *mutex) {
    struct lock *lock = lock_of(mutex);
    if (self->process->live_fibers > 1)
        choose("pthread_mutex_lock");
    if (lock->owner == self)
        finish(HANG, 1, "rank %d: a thread locks what it has locked", self->process->rank);
    if (lock->owner)
        wait_for(is_unlocked, lock, (struct call){"pthread_mutex_lock", -1, -1, -1});
    lock->owner = self;
    return 0;
}

int world_pthread_mutex_unlock(pthread_mutex_t *mutex) {
    struct lock *lock = lock_of(mutex);
    if (lock->owner != self)
        finish(BROKEN, 1, "rank %d: a thread unlocks what it has not locked", self->process->rank);
    lock->owner = self->process->live_fibers > 1 ? next_holder(lock) : NULL;
    if (self->process->live_fibers > 1)
        choose("pthread_mutex_unlock");
    return 0;
}

/* ---- conditions ---- */
struct waiting {
    bool woken;
    struct waiting *next;
};

static bool is_woken(void *argument) {
    return ((const struct waiting *)argument)->woken;
}

int world_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    (void)attributes;
    memset(condition, 0, sizeof *condition);
    return 0;
}

int world_pthread_cond_destroy(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static struct condition *condition_of(pthread_cond_t *condition) {
    return (struct condition *)(void *)condition;
}

int world_pthread_cond_broadcast(pthread_cond_t *condition) {
    for (struct waiting *one = condition_of(condition)->first; one; one = one->next)
        one->woken = true;
    happened();
    return 0;
}

/* Wakes one that the seed takes and, as the standard allows, now and then others. */
int world_pthread_cond_signal(pthread_cond_t *condition) {
    int asleep = 0;
    for (struct waiting *one = condition_of(condition)->first; one; one = one->next)
        asleep += !one->woken;
    int chosen = draw(asleep);
    for (struct waiting *one = condition_of(condition)->first; one; one = one->next)
        if (!one->woken)
            one->woken = chosen-- == 0 || (asleep > 1 && draw_chance(10));
    happened();
    return 0;
}

static void begin_waiting(pthread_cond_t *condition, struct waiting *waiting,
                          pthread_mutex_t *mutex) {
    *waiting = (struct waiting){false, condition_of(condition)->first};
    condition_of(condition)->first = waiting;
    world_pthread_mutex_unlock(mutex);
}

static void end_waiting(pthread_cond_t *condition, const struct waiting *waiting,
                        pthread_mutex_t *mutex) {
    struct waiting **place = &condition_of(condition)->first;
    while (*place != waiting)
        place = &(*place)->next;
    *place = waiting->next;
    world_pthread_mutex_lock(mutex);
}

int world_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    struct waiting waiting;
    begin_waiting(condition, &waiting, mutex);
    if (!waiting.woken)
        wait_for(is_woken, &waiting, (struct call){"pthread_cond_wait", -1, -1, -1});
    end_waiting(condition, &waiting, mutex);
    return 0;
}

/* A sleep that a signal may end. */
int world_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                 const struct timespec *until) {
    struct waiting waiting;
    begin_waiting(condition, &waiting, mutex);
    self->woken = is_woken;
    self->argument = &waiting;
    sleep_for((double)until->tv_sec + (double)until->tv_nsec * 1e-9 - now);
    self->woken = NULL;
    end_waiting(condition, &waiting, mutex);
    return waiting.woken ? 0 : ETIMEDOUT;
}

/* ---- once ---- */
static bool is_done(void *argument) {
    return *(int *)argument == 2;
}

int world_pthread_once(pthread_once_t *once, void (*function)(void)) {
    int *state = (int *)once;
    if (*state == 2)
        return 0;
    if (*state == 1) {
        wait_for(is_done, state, (struct call){"pthread_once", -1, -1, -1});
        return 0;
    }
    *state = 1;
    function();
    *state = 2;
    return 0;
}

/* ---- barriers ---- */
struct meeting {
    unsigned wanted, here;
    uint64_t turn;
};

struct met {
    struct meeting *meeting;
    uint64_t turn;
};

static bool has_met(void *argument) {
    struct met *met = argument;
    return met->meeting->turn != met->turn;
}

int world_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                               unsigned count) {
    (void)attributes;
    memset(barrier, 0, sizeof *barrier);
    ((struct meeting *)(void *)barrier)->wanted = count;
    return 0;
}

int world_pthread_barrier_destroy(pthread_barrier_t *barrier) {
    (void)barrier;
    return 0;
}

int world_pthread_barrier_wait(pthread_barrier_t *barrier) {
    struct meeting *meeting = (struct meeting *)(void *)barrier;
    struct met met = {meeting, meeting->turn};
    if (++meeting->here == meeting->wanted) {
        meeting->here = 0;
        meeting->turn++;
        happened();
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    wait_for(has_met, &met, (struct call){"pthread_barrier_wait", -1, -1, -1});
    return 0;
}
