/* SPDX-License-Identifier: BSD-3-Clause */
/* Arenas: their number over time costs nothing, memory is taken again when the last rank has let
 * go, tags begin again without meeting those in use, and what can't be had fails on all ranks.
 *
 * run: ranks=1,2,4
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=2 env=CAUCUS_ONE_COPY=never
 * run: ranks=1 args=1000000 full
 * run: ranks=2 args=50000 full */
#include "schedules.h"

#include "run/engine/one_copy.h"
#include "run/memory/node_memory.h"

#include <malloc.h>

static struct caucus_engine *engine;

static int64_t node_memory(void) {
    return engine->memory ? caucus_node_memory_size(engine->memory) : 0;
}

static void use(struct operation *operation, double *in, double *out) {
    struct caucus_builder builder;
    const struct caucus_node_map *nodes = &engine->nodes;
    int rank = world_rank(), node = caucus_node_of_rank(nodes, rank);
    caucus_builder_init(&builder, caucus_node_size(nodes, node), caucus_local_of_rank(nodes, rank));
    emit_combine_by_lines(&builder, sizeof *in);
    struct buffers buffers = {in, out, 1, 1, MPI_DOUBLE, MPI_SUM, CAUCUS_SENDING_IMMEDIATE};
    make(operation, engine, &builder, true, &buffers);
}

static void check_cycles(int cycles) {
    const struct caucus_node_map *nodes = &engine->nodes;
    int size = caucus_node_size(nodes, caucus_node_of_rank(nodes, world_rank()));
    double in = 3, out;
    int64_t before = 0, kept = 0;
    for (int i = 0; i < cycles; i++) {
        struct operation operation;
        use(&operation, &in, &out);
        for (int again = 0; again < 1 + i % 3; again++) {
            out = 0;
            run(&operation);
            CHECK(out == 3 * size, "%g in cycle %d", out, i);
        }
        destroy(&operation);
        if (i == 200) {
            before = (int64_t)mallinfo2().uordblks;
            kept = node_memory();
        }
    }
    CHECK(cycles <= 200 || node_memory() == kept, "node memory grew");
    CHECK(cycles <= 200 || (int64_t)mallinfo2().uordblks < before + 65536, "memory grew");
}

/* Many at a time, of all sizes, let go of in another order on every rank. */
static void check_many(void) {
    enum { MANY = 60 };
    struct caucus_arena *arenas[MANY];
    uint64_t seed = 1;
    int64_t most = 0;
    for (int round = 0; round < 6; round++) {
        int64_t all = 0;
        for (int i = 0; i < MANY; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            CHECK_STATUS(caucus_arena_create(engine, (int32_t)(seed >> 60), (int64_t)(seed >> 46),
                                             &arenas[i]));
            int64_t lines = arenas[i]->slots * arenas[i]->line_stride / CAUCUS_LINE_BYTES;
            for (int line = 0; line < lines && arenas[i]->lines > 0; line++)
                CHECK(*(int64_t *)(void *)(arenas[i]->line + (ptrdiff_t)line * CAUCUS_LINE_BYTES) ==
                          0,
                      "a flag is up");
            all += arenas[i]->slots * (arenas[i]->line_stride + arenas[i]->node_stride) + 4096;
            MPI_Barrier(MPI_COMM_WORLD);
            if (arenas[i]->node) {
                memset(arenas[i]->line, 255, (size_t)lines * CAUCUS_LINE_BYTES);
                memset(arenas[i]->node + arenas[i]->node_stride, 255, (size_t)arenas[i]->bytes);
            }
        }
        int step = 2 * (world_rank() % 3) + 7; /* 7, 9, 11 */
        step = step == 9 ? 13 : step;
        for (int i = 0, at = world_rank(); i < MANY; i++, at += step)
            caucus_arena_free(engine, arenas[at % MANY]);
        MPI_Barrier(MPI_COMM_WORLD);
        most = all > most ? all : most;
        CHECK(node_memory() <= 4 * most, "%ld bytes for at most %ld", (long)node_memory(),
              (long)most);
    }
}

/* What was let go of in small pieces can be had in one, without more from the machine. */
static void check_joining(void) {
    enum { PARTS = 8, TAKEN = 7 };
    struct caucus_node_block *piece[TAKEN], *whole;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    struct caucus_engine *fresh = engine_of(comm);
    if (fresh->memory) {
        int64_t size = caucus_node_memory_size(fresh->memory);
        int node = caucus_node_of_rank(&fresh->nodes, world_rank());
        int64_t links = caucus_one_copy_allowed(fresh) /* which are there already */
                            ? caucus_one_copy_bytes(caucus_node_size(&fresh->nodes, node))
                            : 0;
        int64_t part = (size - links) / PARTS - 512;
        CHECK_STATUS(caucus_node_memory_take(fresh->memory, part, 0, TAKEN, piece));
        CHECK(caucus_node_memory_size(fresh->memory) == size, "pieces did not fit");
        for (int i = 0; i < TAKEN; i++)
            caucus_node_memory_let_go(piece[i]);
        MPI_Barrier(comm);
        CHECK_STATUS(caucus_node_memory_take(fresh->memory, (TAKEN - 1) * part, 0, 1, &whole));
        CHECK(caucus_node_memory_size(fresh->memory) == size, "what was let go of was not joined");
        caucus_node_memory_let_go(whole);
        MPI_Barrier(comm);
    }
    MPI_Comm_free(&comm);
}

static void check_tags(void) {
    enum { TAGS = 5 };
    struct caucus_arena *arenas[TAGS], *another;
    int64_t tags = engine->tags;
    engine->tags = TAGS;
    for (int i = 0; i < TAGS; i++)
        CHECK_STATUS(caucus_arena_create(engine, 0, 0, &arenas[i]));
    for (int i = 0; i < TAGS; i++)
        for (int j = 0; j < i; j++)
            CHECK(arenas[i]->tag != arenas[j]->tag, "two have tag %d", arenas[i]->tag);
    CHECK(caucus_arena_create(engine, 0, 0, &another) == CAUCUS_NO_MEMORY && !another, "a sixth");
    CHECK(strstr(caucus_error_text(), "tags are in use"), "%s", caucus_error_text());
    int tag = arenas[3]->tag;
    caucus_arena_free(engine, arenas[3]);
    if (world_rank() == 0) /* the others still hold this one */
        caucus_arena_free(engine, arenas[1]);
    CHECK_STATUS(caucus_arena_create(engine, 0, 0, &another));
    int lowest, highest;
    MPI_Allreduce(&another->tag, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&another->tag, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(lowest == highest, "ranks have different tags");
    CHECK(world_size() == 1 || another->tag == tag, "tag %d is not the free one", another->tag);
    caucus_arena_free(engine, another);
    for (int i = 0; i < TAGS; i++)
        if (i != 3 && (i != 1 || world_rank() > 0))
            caucus_arena_free(engine, arenas[i]);
    engine->tags = tags;
    engine->next_tag = 0;
}

static void check_too_much(void) {
    struct caucus_arena *arena;
    int64_t before = node_memory();
    if (!engine->memory)
        return;
    CHECK(caucus_arena_create(engine, 1, INT64_C(1) << 44, &arena) == CAUCUS_NO_MEMORY && !arena,
          "16 TiB were had");
    CHECK(strstr(caucus_error_text(), "shared memory"), "%s", caucus_error_text());
    CHECK(node_memory() == before, "a failure took memory");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    engine = engine_of(MPI_COMM_WORLD);
    check_cycles(argc > 1 ? atoi(argv[1]) : 1500);
    check_many();
    check_joining();
    check_tags();
    check_too_much();
    /* What outlives its communicator goes on, as MPI's own requests do. */
    struct operation operation;
    MPI_Comm comm;
    double in = 1, out = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    engine = engine_of(comm);
    use(&operation, &in, &out);
    MPI_Comm_free(&comm);
    run(&operation);
    CHECK(out >= 1, "%g", out);
    destroy(&operation);
    MPI_Finalize();
    return 0;
}
