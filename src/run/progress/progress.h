/* SPDX-License-Identifier: BSD-3-Clause */
/* What of this process moves on only while somebody calls the library. Whoever has such work
 * registers it here, and whoever waits for anything calls caucus_progress, for another rank may
 * need that work before it does what is waited for. Any thread. */
#ifndef CAUCUS_RUN_PROGRESS_PROGRESS_H
#define CAUCUS_RUN_PROGRESS_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>

/* In this order it is moved on and counted, since calls become active. */
enum caucus_progress_stage {
    CAUCUS_PROGRESS_CALLS,    /* nonblocking ones whose group or counts are not there yet */
    CAUCUS_PROGRESS_ACTIVE,   /* collectives that run */
    CAUCUS_PROGRESS_SERVICES, /* channels and promises to other ranks, which no call waits for */
    CAUCUS_PROGRESS_STAGES
};

/* One for each kind of work; static, for it stays registered. */
struct caucus_progress_work {
    enum caucus_progress_stage stage;
    void (*move)(void); /* moves all of it on; called by several threads at a time */
    _Atomic int left;   /* how much of it there is */
    _Atomic bool is_registered;
    struct caucus_progress_work *next;
};

/* Before the first time that `left` is not 0; again does nothing. */
void caucus_progress_register(struct caucus_progress_work *work);

/* So much more of it (or less) is left from now on; registers it. What becomes something else is
 * counted there first. */
void caucus_progress_change(struct caucus_progress_work *work, int change);

static inline int caucus_progress_left(const struct caucus_progress_work *work) {
    return atomic_load_explicit(&work->left, memory_order_relaxed);
}

/* Moves all on, and returns how much is left: where there is any, a wait must not be MPI's. */
int caucus_progress(void);

/* The same up to a stage, for who sees to the others by itself. */
int caucus_progress_up_to(enum caucus_progress_stage last);

/* How much of these is left; moves nothing. */
int caucus_progress_count(enum caucus_progress_stage last);

#endif
