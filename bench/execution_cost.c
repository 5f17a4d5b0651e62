/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to start a small schedule and to wait for it, against MPI's own collectives of the
 * same effect in the same run: every way is measured in short batches, in turns, so that all see
 * the same disturbance; of the batches of a rank the median and the fastest, and of the ranks the
 * slowest. On a machine that has other work, the fastest tells more.
 *
 * execution_cost [BATCHES [CALLS IN A BATCH]] */
#include "common/sample.h"

#include "base/status.h"
#include "plan/schedule/builder.h"
#include "run/execution/execution.h"

#include <dlfcn.h>
#include <mpi.h>

static int rank, size;
static double in = 1, out;

static void check(int status) {
    if (status == CAUCUS_OK)
        return;
    fprintf(stderr, "execution_cost: rank %d: %s\n", rank, caucus_error_text());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static struct caucus_place in_at(int64_t offset) {
    return (struct caucus_place){CAUCUS_BUFFER_IN, offset};
}

static struct caucus_place out_at(int64_t offset) {
    return (struct caucus_place){CAUCUS_BUFFER_OUT, offset};
}

/* The sum of one number of each rank of the node: own line, flag, all lines. */
static void emit_sum_by_lines(struct caucus_builder *builder) {
    int32_t lines = caucus_reserve_lines(builder, size);
    caucus_emit_copy(builder, in_at(0), caucus_line_payload(lines + rank), 8);
    caucus_end_step(builder);
    caucus_emit_signal(builder, lines + rank, 1);
    caucus_end_step(builder);
    caucus_emit_await(builder, lines, size, 1);
    caucus_end_step(builder);
    caucus_emit_copy(builder, caucus_line_payload(lines + size - 1), out_at(0), 8);
    caucus_end_step(builder);
    for (int32_t other = size - 1; other-- > 0;) {
        caucus_emit_reduce(builder, caucus_line_payload(lines + other), out_at(0), 8);
        caucus_end_step(builder);
    }
}

/* All numbers to all ranks, each by a message; then the sum. */
static void emit_sum_by_messages(struct caucus_builder *builder) {
    struct caucus_place heard = caucus_reserve_scratch(builder, (int64_t)size * 8);
    for (int32_t other = 0; other < size; other++) {
        if (other == rank)
            continue;
        caucus_emit_receive(builder, other, caucus_at(heard, other * 8), 8);
        caucus_emit_send(builder, other, in_at(0), 8);
    }
    caucus_emit_copy(builder, in_at(0), caucus_at(heard, rank * 8), 8);
    caucus_end_step(builder);
    caucus_emit_copy(builder, caucus_at(heard, (size - 1) * 8), out_at(0), 8);
    caucus_end_step(builder);
    for (int32_t other = size - 1; other-- > 0;) {
        caucus_emit_reduce(builder, caucus_at(heard, other * 8), out_at(0), 8);
        caucus_end_step(builder);
    }
}

static void emit_meeting_by_messages(struct caucus_builder *builder) {
    struct caucus_place said = caucus_reserve_scratch(builder, 1);
    struct caucus_place heard = caucus_reserve_scratch(builder, 1);
    for (int64_t distance = 1; distance < size; distance *= 2) {
        caucus_emit_receive(builder, (int32_t)((rank - distance + size) % size), heard, 1);
        caucus_emit_send(builder, (int32_t)((rank + distance) % size), said, 1);
        caucus_end_step(builder);
    }
}

static void emit_meeting_by_lines(struct caucus_builder *builder) {
    int32_t lines = caucus_reserve_lines(builder, size);
    caucus_emit_signal(builder, lines + rank, 1);
    caucus_emit_await(builder, lines, size, 1);
    caucus_end_step(builder);
}

struct way {
    const char *name;
    void (*emit)(struct caucus_builder *builder); /* NULL: MPI's own, by call */
    enum caucus_sending sending;
    bool needs_memory;
    void (*call)(struct way *way);
    struct caucus_schedule schedule;
    struct caucus_execution *execution;
    MPI_Request request;
    bool serves;
    struct sample sample;
};

static void call_schedule(struct way *way) {
    check(caucus_execution_start(way->execution));
    check(caucus_execution_wait(way->execution));
}

static void call_blocking_sum(struct way *way) {
    (void)way;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void call_nonblocking_sum(struct way *way) {
    MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &way->request);
    MPI_Wait(&way->request, MPI_STATUS_IGNORE);
}

static void call_persistent(struct way *way) {
    MPI_Start(&way->request);
    MPI_Wait(&way->request, MPI_STATUS_IGNORE);
}

static void call_blocking_meeting(struct way *way) {
    (void)way;
    MPI_Barrier(MPI_COMM_WORLD);
}

static struct way ways[] = {
    {.name = "sum: schedule, lines", .emit = emit_sum_by_lines, .needs_memory = true},
    {.name = "sum: schedule, messages at once", .emit = emit_sum_by_messages},
    {.name = "sum: schedule, requests kept",
     .emit = emit_sum_by_messages,
     .sending = CAUCUS_SENDING_KEPT},
    {.name = "sum: MPI blocking", .call = call_blocking_sum},
    {.name = "sum: MPI nonblocking", .call = call_nonblocking_sum},
    {.name = "sum: MPI persistent", .call = call_persistent},
    {.name = "meeting: schedule, lines", .emit = emit_meeting_by_lines, .needs_memory = true},
    {.name = "meeting: schedule, messages", .emit = emit_meeting_by_messages},
    {.name = "meeting: schedule, requests kept",
     .emit = emit_meeting_by_messages,
     .sending = CAUCUS_SENDING_KEPT},
    {.name = "meeting: MPI blocking", .call = call_blocking_meeting},
};

enum { WAYS = sizeof ways / sizeof *ways };

/* MPI-4's function, where this MPI has it, whatever version it says it is. */
static bool make_persistent(MPI_Request *request) {
    int (*init)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request *);
    *(void **)&init = dlsym(RTLD_DEFAULT, "MPI_Allreduce_init");
    return init && init(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                        request) == MPI_SUCCESS;
}

static void make_schedule(struct way *way, struct caucus_engine *engine) {
    struct caucus_builder builder;
    struct caucus_arena *arena;
    struct caucus_binding binding = {.schedule = &way->schedule,
                                     .op = MPI_SUM,
                                     .type = MPI_DOUBLE,
                                     .sending = way->sending,
                                     .name = way->name};
    caucus_builder_init(&builder, size, rank);
    way->emit(&builder);
    check(caucus_builder_finish(&builder, &way->schedule));
    way->schedule.synchronising = true;
    check(caucus_layout_elements(&binding.in, &in, 1, MPI_DOUBLE));
    check(caucus_layout_elements(&binding.out, &out, 1, MPI_DOUBLE));
    check(caucus_arena_create(engine, way->schedule.lines, way->schedule.node_bytes, &arena));
    check(caucus_execution_create(engine, arena, &binding, &way->execution));
    way->call = call_schedule;
}

static void measure(struct way *way, int calls) {
    for (int warm = 0; warm < 2; warm++)
        way->call(way);
    double begin = MPI_Wtime();
    for (int call = 0; call < calls; call++)
        way->call(way);
    sample_add(&way->sample, (MPI_Wtime() - begin) / calls);
}

static void report(const struct way *way) {
    double own[2] = {sample_median(&way->sample), way->sample.value[0]}, slowest[2];
    for (int i = 0; i < way->sample.count; i++)
        own[1] = way->sample.value[i] < own[1] ? way->sample.value[i] : own[1];
    MPI_Reduce(own, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-34s %10.3f %10.3f\n", way->name, slowest[0] * 1e6, slowest[1] * 1e6);
}

int main(int argc, char **argv) {
    struct caucus_attachment *attachment;
    struct caucus_engine *engine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int batches = argc > 1 ? atoi(argv[1]) : 500, calls = argc > 2 ? atoi(argv[2]) : 100;
    check(caucus_attach(MPI_COMM_WORLD, &attachment));
    check(caucus_engine_get(attachment, NULL, &engine));
    bool one_node = engine->shares_memory && engine->nodes.nodes == 1;
    for (int i = 0; i < WAYS; i++) {
        ways[i].serves = !ways[i].needs_memory || one_node;
        if (ways[i].serves && ways[i].emit)
            make_schedule(&ways[i], engine);
        if (ways[i].call == call_persistent)
            ways[i].serves = make_persistent(&ways[i].request);
    }
    for (int batch = 0; batch < batches; batch++)
        for (int i = 0; i < WAYS; i++)
            if (ways[i].serves)
                measure(&ways[i], calls);
    if (rank == 0)
        printf("%d ranks, %d for each core\n%-34s %10s %10s\n", size, engine->ranks_per_core,
               "one number of each rank, us", "median", "fastest");
    for (int i = 0; i < WAYS; i++) {
        if (ways[i].serves)
            report(&ways[i]);
        if (ways[i].serves && ways[i].call == call_persistent)
            MPI_Request_free(&ways[i].request);
    }
    MPI_Finalize();
    return 0;
}
