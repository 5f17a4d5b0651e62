/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a flag in memory takes from one rank to another. */
#ifndef CAUCUS_BENCH_MODEL_FLAGS_H
#define CAUCUS_BENCH_MODEL_FLAGS_H

#include "plan/machine/model.h"
#include "run/attachment/attach.h"
#include "sample.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

enum { FLAG_TRIPS = 20, FLAG_BATCHES = 200, FLAG_APART = 128, FLAG_LOOKS = 10000 };

/* Raise this rank's flag and see the other's, or the other way round, so many times. */
static inline void flag_trips(_Atomic int *mine, _Atomic int *other, int first, int from) {
    for (int trip = from; trip < from + FLAG_TRIPS; trip++) {
        if (first)
            atomic_store_explicit(mine, trip, memory_order_release);
        for (int looks = 1; atomic_load_explicit(other, memory_order_acquire) < trip; looks++)
            if (looks % FLAG_LOOKS == 0)
                sched_yield();
        if (!first)
            atomic_store_explicit(mine, trip, memory_order_release);
    }
}

static inline double time_flags(char *memory, int local) {
    struct sample sample = {0};
    _Atomic int *mine = (_Atomic int *)(void *)(memory + (ptrdiff_t)local * FLAG_APART);
    _Atomic int *other = (_Atomic int *)(void *)(memory + (ptrdiff_t)(1 - local) * FLAG_APART);
    for (int batch = 0; batch < FLAG_BATCHES; batch++) {
        double begin = MPI_Wtime();
        flag_trips(mine, other, local == 0, 1 + batch * FLAG_TRIPS);
        sample_add(&sample, 0.5 * (MPI_Wtime() - begin) / FLAG_TRIPS);
    }
    return sample_median(&sample);
}

/* The first two ranks of node 0 raise their flags by turns; rank 0 gets the figure. Nothing changes
 * where node 0 has one rank or MPI has no memory to share. */
static inline void measure_signal(const struct caucus_attachment *attachment,
                                  struct caucus_model *model) {
    MPI_Win window;
    char *memory, *mine;
    MPI_Aint bytes;
    int unit, local = attachment->local_rank;
    MPI_Comm node = attachment->node;
    if (MPI_Win_allocate_shared(local == 0 ? 2 * FLAG_APART : 0, 1, MPI_INFO_NULL, node, &mine,
                                &window) != MPI_SUCCESS)
        return;
    MPI_Win_shared_query(window, 0, &bytes, &unit, &memory);
    if (local == 0)
        memset(memory, 0, (size_t)2 * FLAG_APART);
    MPI_Barrier(node);
    if (attachment->local_size > 1 && local < 2)
        model->signal = time_flags(memory, local);
    MPI_Barrier(node);
    MPI_Win_free(&window);
}

#endif
