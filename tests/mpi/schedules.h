/* SPDX-License-Identifier: BSD-3-Clause */
/* Small schedules by hand, and what it takes to run them: for tests and measurements of the
 * executor alone. */
#ifndef TESTS_MPI_SCHEDULES_H
#define TESTS_MPI_SCHEDULES_H

#include "check.h"

#include "base/status.h"
#include "plan/schedule/builder.h"
#include "run/execution/execution.h"

#include <string.h>

#define CHECK_STATUS(call)                                                                         \
    do {                                                                                           \
        int check_status = (call);                                                                 \
        CHECK(check_status == CAUCUS_OK, "status %d: %s", check_status, caucus_error_text());      \
    } while (0)

static inline struct caucus_engine *engine_of(MPI_Comm comm) {
    struct caucus_attachment *attachment;
    struct caucus_engine *engine;
    CHECK_STATUS(caucus_attach(comm, &attachment));
    CHECK_STATUS(caucus_engine_get(attachment, NULL, &engine));
    return engine;
}

/* An operation of this rank, with an arena of its own. */
struct operation {
    struct caucus_engine *engine;
    struct caucus_schedule schedule;
    struct caucus_arena *arena;
    struct caucus_execution *execution;
};

/* What is handed to the executor; buffers are count elements of a type. */
struct buffers {
    void *in, *out;
    int64_t in_count, out_count;
    MPI_Datatype type;
    MPI_Op op;
    enum caucus_sending sending;
};

static inline void bind(struct operation *operation, const struct buffers *buffers) {
    struct caucus_binding binding = {.schedule = &operation->schedule,
                                     .op = buffers->op,
                                     .type = buffers->type,
                                     .sending = buffers->sending,
                                     .name = "an operation by hand"};
    CHECK_STATUS(
        caucus_layout_elements(&binding.in, buffers->in, buffers->in_count, buffers->type));
    CHECK_STATUS(
        caucus_layout_elements(&binding.out, buffers->out, buffers->out_count, buffers->type));
    CHECK_STATUS(caucus_execution_create(operation->engine, operation->arena, &binding,
                                         &operation->execution));
}

/* Takes what the builder has. */
static inline void make(struct operation *operation, struct caucus_engine *engine,
                        struct caucus_builder *builder, bool synchronising,
                        const struct buffers *buffers) {
    operation->engine = engine;
    CHECK_STATUS(caucus_builder_finish(builder, &operation->schedule));
    operation->schedule.synchronising = synchronising;
    CHECK_STATUS(caucus_arena_create(engine, operation->schedule.lines,
                                     operation->schedule.node_bytes, &operation->arena));
    bind(operation, buffers);
}

static inline void run(struct operation *operation) {
    CHECK_STATUS(caucus_execution_start(operation->execution));
    CHECK_STATUS(caucus_execution_wait(operation->execution));
}

static inline void destroy(struct operation *operation) {
    caucus_execution_free(operation->execution);
    caucus_arena_free(operation->engine, operation->arena);
    caucus_schedule_free(&operation->schedule);
}

static inline struct caucus_place in_at(int64_t offset) {
    return (struct caucus_place){CAUCUS_BUFFER_IN, offset};
}

static inline struct caucus_place out_at(int64_t offset) {
    return (struct caucus_place){CAUCUS_BUFFER_OUT, offset};
}

/* All ranks of a node combine theirs: each puts its operand into its line, raises its flag, and
 * reads all lines when all flags are up. At most CAUCUS_LINE_PAYLOAD bytes. */
static inline void emit_combine_by_lines(struct caucus_builder *builder, int32_t bytes) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    int32_t lines = caucus_reserve_lines(builder, size);
    caucus_emit_copy(builder, in_at(0), caucus_line_payload(lines + rank), bytes);
    caucus_end_step(builder);
    caucus_emit_signal(builder, lines + rank, 1);
    caucus_end_step(builder);
    caucus_emit_await(builder, lines, size, 1);
    caucus_end_step(builder);
    caucus_emit_copy(builder, caucus_line_payload(lines + size - 1), out_at(0), bytes);
    caucus_end_step(builder);
    for (int32_t other = size - 1; other-- > 0;) {
        caucus_emit_reduce(builder, caucus_line_payload(lines + other), out_at(0), bytes);
        caucus_end_step(builder);
    }
}

/* Everybody's block to everybody, around a ring. */
static inline void emit_ring(struct caucus_builder *builder, int64_t bytes) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    caucus_emit_copy(builder, in_at(0), out_at(rank * bytes), bytes);
    caucus_end_step(builder);
    for (int32_t round = 0; round < size - 1; round++) {
        int32_t passed = (rank - round + size) % size, coming = (passed - 1 + size) % size;
        caucus_emit_receive(builder, (rank - 1 + size) % size, out_at(coming * bytes), bytes);
        caucus_emit_send(builder, (rank + 1) % size, out_at(passed * bytes), bytes);
        caucus_end_step(builder);
    }
}

/* Everybody hears of everybody: messages of one byte at doubling distances. */
static inline void emit_dissemination(struct caucus_builder *builder) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place said = caucus_reserve_scratch(builder, 1);
    struct caucus_place heard = caucus_reserve_scratch(builder, 1);
    for (int64_t distance = 1; distance < size; distance *= 2) {
        caucus_emit_receive(builder, (int32_t)((rank - distance + size) % size), heard, 1);
        caucus_emit_send(builder, (int32_t)((rank + distance) % size), said, 1);
        caucus_end_step(builder);
    }
}

#endif
