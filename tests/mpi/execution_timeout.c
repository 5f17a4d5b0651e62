/* SPDX-License-Identifier: BSD-3-Clause */
/* Who does not come is named by all that wait for him, and what failed once is not run again.
 *
 * run: ranks=3 env=CAUCUS_TIMEOUT=0.5
 * run: ranks=4 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_SHARED_MEMORY=0 */
#include "run/progress/progress.h"
#include "schedules.h"

enum { BYTES = 8 };

static struct caucus_engine *engine;
static double in = 1, out[16];

static void expect_failure(int status, const char *words) {
    CHECK(status == CAUCUS_TIMED_OUT, "status %d", status);
    CHECK(strstr(caucus_error_text(), words), "'%s' is not in '%s'", words, caucus_error_text());
    CHECK(strstr(caucus_error_text(), "an operation by hand"), "%s", caucus_error_text());
}

static void make_ring(struct operation *operation, enum caucus_sending sending) {
    struct caucus_builder builder;
    caucus_builder_init(&builder, world_size(), world_rank());
    emit_ring(&builder, BYTES);
    struct buffers buffers = {&in, out, 1, world_size(), MPI_DOUBLE, MPI_OP_NULL, sending};
    make(operation, engine, &builder, false, &buffers);
}

/* Rank 0 leaves out the second run. */
static void check_messages(enum caucus_sending sending) {
    struct operation operation;
    int size = world_size(), rank = world_rank();
    char words[64];
    make_ring(&operation, sending);
    run(&operation);
    snprintf(words, sizeof words, "after 0.5 seconds, %d bytes from rank 0 have not come", BYTES);
    if (rank > 0) {
        CHECK_STATUS(caucus_execution_start(operation.execution));
        int status = caucus_execution_wait(operation.execution);
        /* Who hears nothing of rank 0 for a while hears the less from others. */
        CHECK(status == CAUCUS_TIMED_OUT, "status %d", status);
        if (rank == 1) {
            expect_failure(status, words);
            expect_failure(status, ": rank 1 waits in an operation by hand, run 2, step 2");
        }
        CHECK(strstr(caucus_error_text(), "from rank"), "%s", caucus_error_text());
        CHECK(!caucus_execution_active(operation.execution), "still active");
        CHECK_STATUS(caucus_execution_wait(operation.execution)); /* it is told once */
        CHECK(caucus_execution_start(operation.execution) != CAUCUS_OK, "it started again");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    destroy(&operation);
    make_ring(&operation, sending); /* another one is none the worse */
    run(&operation);
    for (int other = 0; other < size; other++)
        CHECK(out[other] == 1, "from %d came %g", other, out[other]);
    destroy(&operation);
}

static void check_flags(void) {
    struct operation operation;
    struct caucus_builder builder;
    const struct caucus_node_map *nodes = &engine->nodes;
    int rank = world_rank(), node = caucus_node_of_rank(nodes, rank);
    int local = caucus_local_of_rank(nodes, rank), size = caucus_node_size(nodes, node);
    char words[64];
    caucus_builder_init(&builder, size, local);
    emit_combine_by_lines(&builder, BYTES);
    struct buffers buffers = {&in, out, 1, 1, MPI_DOUBLE, MPI_SUM, CAUCUS_SENDING_IMMEDIATE};
    make(&operation, engine, &builder, true, &buffers);
    run(&operation);
    if (local > 0) {
        CHECK_STATUS(caucus_execution_start(operation.execution));
        snprintf(words, sizeof words, "after 0.5 seconds, rank %d has not come to run 2",
                 caucus_rank_in_node(nodes, node, 0));
        expect_failure(caucus_execution_wait(operation.execution), words);
        snprintf(words, sizeof words, "rank %d has not", rank); /* who waits has come */
        CHECK(!strstr(caucus_error_text(), words), "%s", caucus_error_text());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    destroy(&operation);
}

/* The last of a node runs ahead by as many runs as its arena has slots; then it waits for those
 * alone who have not completed the first one. */
static void check_gate(void) {
    struct operation operation;
    struct caucus_builder builder;
    const struct caucus_node_map *nodes = &engine->nodes;
    int rank = world_rank(), node = caucus_node_of_rank(nodes, rank);
    int local = caucus_local_of_rank(nodes, rank), size = caucus_node_size(nodes, node);
    char words[64];
    caucus_builder_init(&builder, size, local);
    int32_t line = caucus_reserve_lines(&builder, 1);
    if (local == size - 1) {
        caucus_emit_signal(&builder, line, 1);
        caucus_end_step(&builder);
    }
    struct buffers buffers = {&in, out, 1, 1, MPI_DOUBLE, MPI_OP_NULL, CAUCUS_SENDING_IMMEDIATE};
    make(&operation, engine, &builder, false, &buffers);
    for (int i = 0; i < 2 * local; i++)
        run(&operation);
    MPI_Barrier(MPI_COMM_WORLD);
    if (local > 0 && local == size - 1) {
        for (int i = 2 * local; i < operation.arena->slots; i++)
            run(&operation);
        CHECK_STATUS(caucus_execution_start(operation.execution));
        snprintf(words, sizeof words, "after 0.5 seconds, rank %d has not completed run 1: rank",
                 caucus_rank_in_node(nodes, node, 0));
        expect_failure(caucus_execution_wait(operation.execution), words);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    destroy(&operation);
}

/* What waits behind a run that fails, fails with it. */
static void check_queue(void) {
    struct operation first, second;
    make_ring(&first, CAUCUS_SENDING_IMMEDIATE);
    make_ring(&second, CAUCUS_SENDING_IMMEDIATE);
    struct caucus_arena *spare = second.arena;
    struct caucus_execution *alone = second.execution;
    second.arena = first.arena;
    struct buffers buffers = {
        &in, out, 1, world_size(), MPI_DOUBLE, MPI_OP_NULL, CAUCUS_SENDING_IMMEDIATE};
    bind(&second, &buffers);
    if (world_rank() > 0) {
        CHECK_STATUS(caucus_execution_start(first.execution));
        CHECK_STATUS(caucus_execution_start(second.execution));
        CHECK(caucus_progress() == 2, "both are active");
        expect_failure(caucus_execution_wait(second.execution), "have not come");
        CHECK(strstr(caucus_error_text(), "behind run 1"), "%s", caucus_error_text());
        expect_failure(caucus_execution_wait(first.execution), "behind run 1");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    caucus_execution_free(first.execution);
    caucus_execution_free(second.execution);
    caucus_execution_free(alone);
    caucus_arena_free(engine, first.arena);
    caucus_arena_free(engine, spare);
    caucus_schedule_free(&first.schedule);
    caucus_schedule_free(&second.schedule);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    engine = engine_of(MPI_COMM_WORLD);
    check_messages(CAUCUS_SENDING_IMMEDIATE);
    check_messages(CAUCUS_SENDING_KEPT);
    if (engine->shares_memory) {
        check_flags();
        check_gate();
    }
    check_queue();
    MPI_Finalize();
    return 0;
}
