/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/progress/waiting.h"

#include "base/status.h"
#include "run/progress/progress.h"
#include "run/progress/service.h"
#include "run/support/mpi_status.h"
#include "run/support/waits.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { SPINS_PER_POKE = 256, YIELDS_PER_POKE = 8 };

/* From time to time a wait with yields looks at the clock. Where a few yields have taken a time
 * slice, a processor is used by somebody who does not wait, and for a while waits nap at once: who
 * has slept gets a processor back sooner than who has yielded. A wait that has lasted for long naps
 * too, which makes it but a few percent longer. Before that, ranks that combine or copy what the
 * wait is for have the processor, and a nap would take longer than they do. */
enum { ROUNDS_PER_LOOK = 4 };
static const int64_t SLICE_NANOSECONDS = 2500000, LONG_NANOSECONDS = 3000000,
                     CROWDED_NANOSECONDS = 20000000;

/* Of brief waits: some milliseconds in all. */
enum { LOOKS_PER_YIELD = 4, BRIEF_ROUNDS = 8000 };

static const struct timespec nap = {.tv_nsec = 50000};
static _Thread_local struct {
    int64_t begun, looked, crowded; /* the last: until when; in nanoseconds */
    bool naps;
} wait;

void caucus_waiting_poke(const struct caucus_waiting *waiting) {
    int found;
    PMPI_Iprobe(waiting->self, 0, waiting->comm, &found, MPI_STATUS_IGNORE);
    caucus_serve();
}

static inline void relax(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void look_round(int64_t yields) {
    int64_t now = nanoseconds();
    if (yields == 0)
        wait.begun = now;
    else if (now - wait.looked > SLICE_NANOSECONDS)
        wait.crowded = now + CROWDED_NANOSECONDS;
    wait.naps = now < wait.crowded || now - wait.begun > LONG_NANOSECONDS;
    wait.looked = now;
}

/* Ranks that wait for long leave a crowded processor to those that have something to do, and to the
 * kernel, which may well be moving what they wait for. */
void caucus_waiting_pause(const struct caucus_waiting *waiting, int64_t round) {
    int64_t yields = round - atomic_load_explicit(&waiting->spins, memory_order_relaxed);
    if (yields < 0) {
        relax();
        if (round % SPINS_PER_POKE == SPINS_PER_POKE - 1)
            caucus_waiting_poke(waiting);
        return;
    }
    if (wait.naps && yields > 0) {
        nanosleep(&nap, NULL);
        caucus_waiting_poke(waiting);
        return;
    }
    if (yields < ROUNDS_PER_LOOK || yields % ROUNDS_PER_LOOK == 0)
        look_round(yields);
    sched_yield();
    if (round % YIELDS_PER_POKE == YIELDS_PER_POKE - 1)
        caucus_waiting_poke(waiting);
}

void caucus_waiting_brief(const struct caucus_waiting *waiting, int64_t round) {
    int64_t yields = round - atomic_load_explicit(&waiting->spins, memory_order_relaxed);
    if (yields < 0 || yields >= BRIEF_ROUNDS)
        caucus_waiting_pause(waiting, round);
    else if (yields % LOOKS_PER_YIELD == LOOKS_PER_YIELD - 1)
        sched_yield();
}

/* Two ranks may well share a processor where there is one for each; then a spin is all in vain.
 * What a poke brought does not count: MPI may have given the processor away. */
void caucus_waiting_learn(struct caucus_waiting *waiting, int64_t rounds) {
    int spins = atomic_load_explicit(&waiting->spins, memory_order_relaxed);
    int better = spins;
    bool worth_it = rounds <= spins && rounds < SPINS_PER_POKE;
    if (!worth_it && spins > CAUCUS_LEAST_SPINS)
        better = spins / 2;
    else if (worth_it && spins < CAUCUS_MOST_SPINS)
        better = 2 * spins; /* 0 remains 0 */
    if (better != spins)
        atomic_store_explicit(&waiting->spins, better, memory_order_relaxed);
}

int caucus_waiting_request(MPI_Request *request) {
    return caucus_waiting_status(request, MPI_STATUS_IGNORE);
}

int caucus_waiting_status(MPI_Request *request, MPI_Status *said) {
    for (;;) {
        int here = 0;
        if (caucus_progress() == 0 && !caucus_waits_may_be_asked())
            return caucus_mpi_status(PMPI_Wait(request, said), "MPI_Wait");
        int status = caucus_mpi_status(PMPI_Test(request, &here, said), "MPI_Test");
        if (status || here)
            return status;
        sched_yield();
    }
}

void caucus_waiting_message(const struct caucus_waiting *waiting, MPI_Comm comm, int tag) {
    int here = 0;
    for (int64_t round = 0; !here; round++) {
        if (PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &here, MPI_STATUS_IGNORE) != MPI_SUCCESS || here)
            return;
        caucus_progress();
        caucus_waiting_brief(waiting, round);
    }
}

void caucus_waiting_abandon(MPI_Request *request) {
    PMPI_Cancel(request);
    PMPI_Request_free(request);
}

void caucus_waiting_leave(void *memory) {
    static struct left {
        void *memory;
        struct left *next;
    } *_Atomic all;
    struct left *left = memory ? malloc(sizeof *left) : NULL;
    if (!left)
        return;
    *left = (struct left){memory, all};
    while (!atomic_compare_exchange_weak(&all, &left->next, left))
        continue;
}
