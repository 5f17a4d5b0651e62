/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules by hand between two groups on an engine that was made without waiting: every rank calls
 * its own group the first one, several runs overlap, and the user's wildcards get none of it.
 *
 * run: ranks=2,3,5 */
#include "two_groups.h"

#include "run/alone.h"

#include <sched.h>

enum { RUNS = 2 * CAUCUS_ALONE_ARENAS, WORDS = 100 };

struct run {
    struct caucus_schedule schedule;
    struct caucus_execution *execution;
    int in[WORDS], *out;
};

/* Everybody's words to everybody in the other group. */
static void build(struct run *run, const struct caucus_alone *alone, struct sides sides, int i) {
    struct caucus_builder builder;
    struct caucus_engine *engine = alone->engine;
    int64_t bytes = sizeof run->in;
    caucus_builder_init(&builder, engine->attachment->size, engine->attachment->rank);
    for (int other = 0; other < sides.remote; other++) {
        caucus_emit_receive(&builder, sides.local + other, out_at(other * bytes), bytes);
        caucus_emit_send(&builder, sides.local + other, in_at(0), bytes);
    }
    caucus_end_step(&builder);
    CHECK_STATUS(caucus_builder_finish(&builder, &run->schedule));
    run->out = calloc((size_t)sides.remote * WORDS, sizeof *run->out);
    CHECK(run->out, "no memory");
    for (int k = 0; k < WORDS; k++)
        run->in[k] = 1000 * i + 10 * sides.rank + k;
    struct caucus_binding binding = {.schedule = &run->schedule,
                                     .type = MPI_INT,
                                     .sending =
                                         i % 2 ? CAUCUS_SENDING_KEPT : CAUCUS_SENDING_IMMEDIATE,
                                     .name = "an exchange by hand"};
    CHECK_STATUS(caucus_layout_elements(&binding.in, run->in, WORDS, MPI_INT));
    CHECK_STATUS(
        caucus_layout_elements(&binding.out, run->out, (int64_t)sides.remote * WORDS, MPI_INT));
    CHECK_STATUS(caucus_execution_create(engine, alone->arena[i % CAUCUS_ALONE_ARENAS], &binding,
                                         &run->execution));
}

static void check(struct run *run, struct sides sides, int i) {
    CHECK_STATUS(caucus_execution_wait(run->execution));
    for (int other = 0; other < sides.remote; other++)
        for (int k = 0; k < WORDS; k++)
            CHECK(run->out[other * WORDS + k] == 1000 * i + 10 * other + k,
                  "run %d, word %d of remote rank %d: %d", i, k, other,
                  run->out[other * WORDS + k]);
    caucus_execution_free(run->execution);
    caucus_schedule_free(&run->schedule);
    free(run->out);
}

static void try_alone(MPI_Comm comm) {
    static struct run runs[RUNS];
    struct sides sides = sides_of(comm);
    struct caucus_alone alone;
    bool ready = false;
    CHECK_STATUS(caucus_alone_begin(&alone, comm));
    while (!ready) {
        CHECK_STATUS(caucus_alone_advance(&alone, &ready));
        sched_yield();
    }
    const struct caucus_attachment *attachment = alone.engine->attachment;
    CHECK(attachment->rank == sides.rank && attachment->size == sides.local + sides.remote &&
              attachment->first_group == sides.local && alone.engine->first_peer == sides.local,
          "rank %d of %d, of which %d are the first group", attachment->rank, attachment->size,
          attachment->first_group);
    for (int i = 0; i < RUNS; i++)
        build(&runs[i], &alone, sides, i);
    for (int i = 0; i < RUNS; i++)
        CHECK_STATUS(caucus_execution_start(runs[i].execution));
    for (int i = RUNS; i-- > 0;)
        check(&runs[i], sides, i);
    caucus_alone_free(&alone);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int first = world_size() / 2, got = -1, flag;
    MPI_Request request;
    MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    try_alone(comm);
    attach_and_check(comm, 1);
    try_alone(comm); /* a duplicate of what is attached */
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag, "the user got %d", got);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
