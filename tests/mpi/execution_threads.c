/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads run operations of their own over one communicator and over several at a time; whoever
 * waits moves all on, so no thread needs a processor for the others to get ahead. One thread only
 * asks for progress meanwhile.
 *
 * run: ranks=1,2,3
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=2 env=CAUCUS_SHARED_MEMORY=0 */
#include "run/progress/progress.h"
#include "schedules.h"
#include "skip.h"

#include <pthread.h>

enum { THREADS = 3, OPERATIONS = 2, RUNS = 200, COMMS = 2 };

struct work {
    struct operation combine[OPERATIONS], ring[OPERATIONS];
    double in[OPERATIONS], out[OPERATIONS], all[OPERATIONS][16];
    int index, locals;
};

static atomic_bool done;

static void make_all(struct work *work, struct caucus_engine *engine, int index) {
    const struct caucus_node_map *nodes = &engine->nodes;
    int rank = world_rank(), node = caucus_node_of_rank(nodes, rank);
    work->index = index;
    work->locals = caucus_node_size(nodes, node);
    for (int i = 0; i < OPERATIONS; i++) {
        struct caucus_builder builder;
        struct buffers combine = {.in = &work->in[i],
                                  .out = &work->out[i],
                                  .in_count = 1,
                                  .out_count = 1,
                                  .type = MPI_DOUBLE,
                                  .op = MPI_SUM};
        struct buffers ring = combine;
        caucus_builder_init(&builder, work->locals, caucus_local_of_rank(nodes, rank));
        emit_combine_by_lines(&builder, 8);
        make(&work->combine[i], engine, &builder, true, &combine);
        ring.out = work->all[i];
        ring.out_count = world_size();
        ring.sending = i % 2 ? CAUCUS_SENDING_KEPT : CAUCUS_SENDING_IMMEDIATE;
        caucus_builder_init(&builder, world_size(), rank);
        emit_ring(&builder, 8);
        make(&work->ring[i], engine, &builder, false, &ring);
    }
}

static void destroy_all(struct work *work) {
    for (int i = 0; i < OPERATIONS; i++) {
        destroy(&work->combine[i]);
        destroy(&work->ring[i]);
    }
}

static void *go(void *argument) {
    struct work *work = argument;
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < OPERATIONS; i++) {
            int at = (i + world_rank() + run) % OPERATIONS; /* in any order */
            work->in[at] = run + at + work->index;
            CHECK_STATUS(caucus_execution_start(work->combine[at].execution));
            CHECK_STATUS(caucus_execution_start(work->ring[at].execution));
        }
        for (int i = 0; i < OPERATIONS; i++) {
            double in = run + i + work->index;
            CHECK_STATUS(caucus_execution_wait(work->ring[i].execution));
            CHECK_STATUS(caucus_execution_wait(work->combine[i].execution));
            CHECK(work->out[i] == in * work->locals, "run %d gave %g", run, work->out[i]);
            for (int other = 0; other < world_size(); other++)
                CHECK(work->all[i][other] == in, "run %d, from %d: %g", run, other,
                      work->all[i][other]);
        }
    }
    return NULL;
}

static void *ask(void *argument) {
    (void)argument;
    while (!done)
        caucus_progress();
    return NULL;
}

int main(int argc, char **argv) {
    static struct work works[COMMS * THREADS];
    int provided;
    pthread_t threads[COMMS * THREADS + 1];
    MPI_Comm comms[COMMS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    for (int i = 0; i < COMMS * THREADS; i++) {
        if (i < COMMS)
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        make_all(&works[i], engine_of(comms[i % COMMS]), i);
    }
    for (int i = 0; i <= COMMS * THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, i < COMMS * THREADS ? go : ask,
                              i < COMMS * THREADS ? &works[i] : NULL),
              "no thread");
    for (int i = 0; i < COMMS * THREADS; i++)
        pthread_join(threads[i], NULL);
    done = true;
    pthread_join(threads[COMMS * THREADS], NULL);
    for (int i = 0; i < COMMS * THREADS; i++)
        destroy_all(&works[i]);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
