/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/shared.h"

#include "run/measure/median.h"
#include "run/progress/progress.h"

#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

enum { LEAST_ROUNDS = 8, MOST_ROUNDS = 200, LOOKS_PER_PROGRESS = 64 };

/* A flag has the round, and below that whether there will be another one. */
static void raise_flag(struct caucus_shared_probe *probe, bool goes_on) {
    atomic_store_explicit(&probe->mine->flag, 2 * probe->round + goes_on, memory_order_release);
}

static bool await_flag(struct caucus_shared_probe *probe) {
    _Atomic int64_t *flag = &probe->other->flag;
    int64_t value, look = 1;
    for (; (value = atomic_load_explicit(flag, memory_order_acquire)) < 2 * probe->round; look++) {
        if (look % LOOKS_PER_PROGRESS == 0)
            caucus_progress();
        caucus_waiting_pause(probe->waiting, look);
    }
    return value % 2;
}

static void copy(struct caucus_shared_probe *probe) {
    const double begin = PMPI_Wtime();
    if (probe->first)
        memcpy(probe->shared, probe->own, CAUCUS_SHARED_BYTES);
    else
        memcpy(probe->own, probe->shared, CAUCUS_SHARED_BYTES);
    probe->mine->copied = PMPI_Wtime() - begin;
}

/* The median of rounds: of what they take, or of the copies in them. */
static double measure(struct caucus_shared_probe *probe, bool copies) {
    double took[MOST_ROUNDS];
    const double begin = PMPI_Wtime();
    int rounds = 0;
    for (bool goes_on = true; goes_on; rounds++) {
        const double now = PMPI_Wtime();
        probe->round++;
        if (!probe->first)
            goes_on = await_flag(probe);
        else
            goes_on = rounds + 1 < LEAST_ROUNDS ||
                      (rounds + 1 < MOST_ROUNDS && now - begin < probe->seconds);
        if (copies)
            copy(probe);
        raise_flag(probe, goes_on);
        if (probe->first)
            await_flag(probe);
        if (probe->first) /* the other one may begin its next copy */
            took[rounds] = copies ? probe->mine->copied + probe->other->copied : PMPI_Wtime() - now;
    }
    return probe->first ? caucus_median(took, rounds) : 0;
}

double caucus_shared_signal(struct caucus_shared_probe *probe) {
    return 0.5 * measure(probe, false);
}

double caucus_shared_copy(struct caucus_shared_probe *probe) {
    return 0.5 * measure(probe, true) / CAUCUS_SHARED_BYTES;
}
