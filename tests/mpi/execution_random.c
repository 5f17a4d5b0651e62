/* SPDX-License-Identifier: BSD-3-Clause */
/* Several random operations active at a time: messages between all pairs in random rounds, and node
 * memory, from and into buffers with gaps or without, requests kept or not. Ranks start and wait in
 * different orders; operations that share an arena follow one another. Data differ at every run.
 *
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=4 env=CAUCUS_NODES=1,3
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 args=30 full
 * run: ranks=8 args=6 env=CAUCUS_NODES=3*2,1*2 full */
#include "run/progress/progress.h"
#include "schedules.h"

enum { ARENAS = 3, OPERATIONS = 7, RUNS = 4, PIECE = 5, SPACED = 7, MOST = 8 };

static uint64_t common = 99, private; /* the same on all ranks; one of each rank */

static int draw(uint64_t *seed, int low, int high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((*seed >> 33) % (uint64_t)(high - low + 1));
}

/* Packed bytes in memory: the first in pieces with gaps, the rest in a row. */
struct room {
    unsigned char *memory;
    int bytes, pieces;
};

static struct room room_for(int bytes, bool gaps) {
    struct room room = {.bytes = bytes, .pieces = gaps ? bytes / PIECE : 0};
    room.memory = calloc((size_t)(room.pieces * SPACED + bytes + 8), 1);
    CHECK(room.memory, "no memory");
    return room;
}

static unsigned char *byte_at(const struct room *room, int i) {
    int head = room->pieces * PIECE;
    return i < head ? &room->memory[i / PIECE * SPACED + i % PIECE]
                    : &room->memory[room->pieces * SPACED + (i - head)];
}

static struct caucus_layout layout_of(const struct room *room) {
    struct caucus_layout layout;
    MPI_Datatype piece, types[2] = {MPI_DATATYPE_NULL, MPI_BYTE};
    int64_t counts[2] = {room->pieces, room->bytes - room->pieces * PIECE};
    int64_t displacements[2] = {0, room->pieces * SPACED};
    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, SPACED, &types[0]);
    CHECK_STATUS(
        caucus_layout_blocks(&layout, room->memory, 2, counts, displacements, types, false));
    MPI_Type_free(&types[0]);
    MPI_Type_free(&piece);
    return layout;
}

struct random_operation {
    int index, run, arena;
    int length[MOST][MOST], round[MOST][MOST], node_bytes, rounds;
    struct room in, out;
    struct caucus_schedule schedule;
    struct caucus_execution *execution;
    bool active;
};

static unsigned char value_of(const struct random_operation *o, int rank, int other, int i) {
    return (unsigned char)(o->index * 41 + o->run * 17 + rank * 7 + other * 3 + i * 5 + i / 256);
}

static void draw_messages(struct random_operation *o, int size) {
    o->rounds = draw(&common, 1, 4);
    o->node_bytes = draw(&common, 0, 2) ? draw(&common, 1, 900) : 0;
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++) {
            o->length[a][b] = draw(&common, 0, 2) ? draw(&common, 0, 20000) : 0;
            o->round[a][b] = draw(&common, 0, o->rounds - 1);
        }
}

static int sum(const struct random_operation *o, int rank, int until, bool sent) {
    int bytes = 0;
    for (int other = 0; other < until; other++)
        bytes += sent ? o->length[rank][other] : o->length[other][rank];
    return bytes;
}

static void emit_node_part(struct caucus_builder *builder, const struct random_operation *o,
                           const struct caucus_node_map *nodes, int sent, int received) {
    int rank = builder->group.rank, node = caucus_node_of_rank(nodes, rank);
    int32_t local = caucus_local_of_rank(nodes, rank), ranks = caucus_node_size(nodes, node);
    int32_t lines = caucus_reserve_lines(builder, ranks);
    struct caucus_place memory = caucus_reserve_node(builder, (int64_t)ranks * o->node_bytes);
    struct caucus_place own = caucus_at(memory, (int64_t)local * o->node_bytes);
    caucus_emit_copy(builder, in_at(sent), own, o->node_bytes);
    caucus_end_step(builder);
    caucus_emit_signal(builder, lines + local, 1);
    caucus_end_step(builder);
    caucus_emit_await(builder, lines, ranks, 1);
    caucus_end_step(builder);
    caucus_emit_copy(builder, memory, out_at(received), (int64_t)ranks * o->node_bytes);
    caucus_end_step(builder);
}

static void build(struct random_operation *o, const struct caucus_engine *engine, int size,
                  int rank) {
    struct caucus_builder builder;
    int sent = sum(o, rank, size, true), received = sum(o, rank, size, false);
    int32_t locals = caucus_node_size(&engine->nodes, caucus_node_of_rank(&engine->nodes, rank));
    caucus_builder_init(&builder, size, rank);
    for (int round = 0; round < o->rounds; round++) {
        for (int other = 0; other < size; other++) {
            if (o->round[other][rank] == round)
                caucus_emit_receive(&builder, other, out_at(sum(o, rank, other, false)),
                                    o->length[other][rank]);
            if (o->round[rank][other] == round)
                caucus_emit_send(&builder, other, in_at(sum(o, rank, other, true)),
                                 o->length[rank][other]);
        }
        caucus_end_step(&builder);
    }
    if (o->node_bytes > 0)
        emit_node_part(&builder, o, &engine->nodes, sent, received);
    CHECK_STATUS(caucus_builder_finish(&builder, &o->schedule));
    o->in = room_for(sent + o->node_bytes, draw(&private, 0, 1));
    o->out = room_for(received + locals * o->node_bytes, draw(&private, 0, 1));
}

static void create(struct random_operation *o, struct caucus_engine *engine,
                   struct caucus_arena *arena) {
    struct caucus_binding binding = {.schedule = &o->schedule,
                                     .in = layout_of(&o->in),
                                     .out = layout_of(&o->out),
                                     .op = MPI_OP_NULL,
                                     .type = MPI_DATATYPE_NULL,
                                     .sending = draw(&private, 0, 1) ? CAUCUS_SENDING_KEPT
                                                                     : CAUCUS_SENDING_IMMEDIATE,
                                     .name = "a random operation"};
    CHECK_STATUS(caucus_execution_create(engine, arena, &binding, &o->execution));
}

/* Goes through all bytes of a rank's in, or of its out. */
static void fill(struct random_operation *o, int size, int rank) {
    int at = 0;
    for (int other = 0; other < size; other++)
        for (int i = 0; i < o->length[rank][other]; i++)
            *byte_at(&o->in, at++) = value_of(o, rank, other, i);
    for (int i = 0; i < o->node_bytes; i++)
        *byte_at(&o->in, at++) = value_of(o, rank, MOST, i);
    for (int i = 0; i < o->out.bytes; i++)
        *byte_at(&o->out, i) = 0;
}

static void check(const struct random_operation *o, const struct caucus_node_map *nodes, int size,
                  int rank) {
    int at = 0, node = caucus_node_of_rank(nodes, rank);
    for (int other = 0; other < size; other++)
        for (int i = 0; i < o->length[other][rank]; i++)
            CHECK(*byte_at(&o->out, at++) == value_of(o, other, rank, i),
                  "operation %d, run %d: byte %d from rank %d", o->index, o->run, i, other);
    for (int local = 0; o->node_bytes > 0 && local < caucus_node_size(nodes, node); local++)
        for (int i = 0; i < o->node_bytes; i++)
            CHECK(*byte_at(&o->out, at++) ==
                      value_of(o, caucus_rank_in_node(nodes, node, local), MOST, i),
                  "operation %d, run %d: byte %d of local rank %d", o->index, o->run, i, local);
}

static void start(struct random_operation *o, int size, int rank) {
    fill(o, size, rank);
    CHECK_STATUS(caucus_execution_start(o->execution));
    o->active = true;
}

/* Operations of an arena are started in their order, arenas in any. */
static void start_all(struct random_operation *operations, int size, int rank) {
    int next[ARENAS] = {0}, left = OPERATIONS;
    while (left > 0) {
        int arena = draw(&private, 0, ARENAS - 1);
        while (next[arena] < OPERATIONS && operations[next[arena]].arena != arena)
            next[arena]++;
        if (next[arena] < OPERATIONS) {
            start(&operations[next[arena]++], size, rank);
            left--;
        }
    }
}

static void finish(struct random_operation *o, const struct caucus_node_map *nodes, int size,
                   int rank) {
    bool complete = false;
    if (draw(&private, 0, 1)) {
        CHECK_STATUS(caucus_execution_wait(o->execution));
    } else {
        while (!complete)
            CHECK_STATUS(caucus_execution_test(o->execution, &complete));
    }
    CHECK(!caucus_execution_active(o->execution), "still active");
    check(o, nodes, size, rank);
    o->active = false;
    o->run++;
}

static void finish_all(struct random_operation *operations, const struct caucus_node_map *nodes,
                       int size, int rank) {
    int left = OPERATIONS;
    while (left > 0) {
        struct random_operation *o = &operations[draw(&private, 0, OPERATIONS - 1)];
        if (o->active) {
            finish(o, nodes, size, rank);
            left--;
        }
    }
    CHECK(caucus_progress() == 0, "something is active");
}

static void try_once(struct caucus_engine *engine, int size, int rank) {
    static struct random_operation operations[OPERATIONS];
    struct caucus_arena *arenas[ARENAS];
    int32_t lines[ARENAS] = {0};
    int64_t bytes[ARENAS] = {0};
    memset(operations, 0, sizeof operations);
    for (int i = 0; i < OPERATIONS; i++) {
        struct random_operation *o = &operations[i];
        o->index = i;
        o->arena = draw(&common, 0, ARENAS - 1);
        draw_messages(o, size);
        build(o, engine, size, rank);
        if (o->schedule.lines > lines[o->arena])
            lines[o->arena] = o->schedule.lines;
        if (o->schedule.node_bytes > bytes[o->arena])
            bytes[o->arena] = o->schedule.node_bytes;
    }
    for (int i = 0; i < ARENAS; i++)
        CHECK_STATUS(caucus_arena_create(engine, lines[i], bytes[i], &arenas[i]));
    for (int i = 0; i < OPERATIONS; i++)
        create(&operations[i], engine, arenas[operations[i].arena]);
    for (int run = 0; run < RUNS; run++) {
        start_all(operations, size, rank);
        finish_all(operations, &engine->nodes, size, rank);
    }
    for (int i = 0; i < OPERATIONS; i++) {
        caucus_execution_free(operations[i].execution);
        caucus_schedule_free(&operations[i].schedule);
        free(operations[i].in.memory);
        free(operations[i].out.memory);
    }
    for (int i = 0; i < ARENAS; i++)
        caucus_arena_free(engine, arenas[i]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int size = world_size(), rank = world_rank(), rounds = argc > 1 ? atoi(argv[1]) : 8;
    struct caucus_engine *engine = engine_of(MPI_COMM_WORLD);
    CHECK(size <= MOST, "at most %d ranks", MOST);
    private = (uint64_t)rank + 7;
    for (int round = 0; round < rounds; round++)
        try_once(engine, size, rank);
    MPI_Finalize();
    return 0;
}
