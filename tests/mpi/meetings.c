/* SPDX-License-Identifier: BSD-3-Clause */
/* Meetings: all ranks learn whether all were ready and had the same, and where the lowest rank of
 * their node has put what it offers; what arenas propose is settled or withdrawn.
 * run: ranks=1,2,3,5
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=2 args=200000 full */
#include "check.h"

#include "run/engine/arena.h"
#include "run/engine/digest_agreement.h"
#include "run/memory/node_memory.h"

static struct caucus_engine *engine;

/* All ranks draw the same numbers. */
static unsigned draw(unsigned below) {
    static uint64_t state = 12345;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static int64_t leader_of(int32_t rank) {
    const struct caucus_node_map *nodes = &engine->nodes;
    int32_t leader = rank;
    for (int32_t other = rank; other >= 0; other--)
        if (caucus_node_of_rank(nodes, other) == caucus_node_of_rank(nodes, rank))
            leader = other;
    return leader;
}

static void check_verdicts(int meetings) {
    int rank = world_rank(), size = world_size();
    bool one_node = engine->nodes.nodes == 1;
    for (int i = 0; i < meetings; i++) {
        unsigned kind = draw(4), who = draw((unsigned)size);
        bool odd = rank == (int)who || (kind == 3 && leader_of(rank) == leader_of((int32_t)who));
        bool ready = kind != 1 || !odd;
        uint64_t digest = kind >= 2 && odd ? 1 : 0x123456789abcdef0u + (uint64_t)i;
        int64_t offer = 1000 * i + rank;
        bool agreed = caucus_digest_agree(engine, ready, digest, &offer);
        bool wanted = kind == 0 || (kind >= 2 && size == 1) || (kind == 3 && one_node);
        CHECK(agreed == wanted, "meeting %d: kind %u by rank %u", i, kind, who);
        CHECK(!agreed || offer == 1000 * i + leader_of(rank), "offer %lld", (long long)offer);
    }
}

/* Proposals have to find memory that is there. */
static void make_room(void) {
    struct caucus_arena *arena;
    CHECK(!caucus_arena_create(engine, 4, 1 << 20, &arena), "no arena");
    caucus_arena_free(engine, arena);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every other proposal is withdrawn; memory is not used up by that, and tags agree. */
static void check_proposals(void) {
    int64_t before = 0;
    struct caucus_arena *held[4] = {NULL};
    make_room();
    for (int i = 0; i < 400; i++) {
        struct caucus_arena *arena;
        int64_t offer = -1, own;
        int status = caucus_arena_propose(engine, 4, 20000, &arena, &offer);
        own = offer;
        bool agreed = caucus_digest_agree(engine, !status && i % 2, 7, &offer);
        CHECK(agreed == i % 2, "status %d, proposal %d", status, i);
        if (!agreed) {
            caucus_arena_withdraw(engine, arena, own);
            continue;
        }
        caucus_arena_settle(engine, arena, offer);
        caucus_arena_free(engine, held[i % 4]);
        held[i % 4] = arena;
        int32_t local = caucus_local_of_rank(&engine->nodes, world_rank());
        arena->done[local * 8] = i; /* it is there, and zero */
        for (int line = 0; line < 4 * arena->slots; line++)
            CHECK(arena->line[line * 64] == 0, "line %d is not zero", line);
        if (i == 101 && engine->memory)
            before = caucus_node_memory_size(engine->memory);
    }
    for (int i = 0; i < 4; i++)
        caucus_arena_free(engine, held[i]);
    if (engine->memory)
        CHECK(caucus_node_memory_size(engine->memory) == before, "%lld bytes, once %lld",
              (long long)caucus_node_memory_size(engine->memory), (long long)before);
}

int main(int argc, char **argv) {
    struct caucus_attachment *attachment;
    MPI_Init(&argc, &argv);
    CHECK(!caucus_attach(MPI_COMM_WORLD, &attachment), "attach");
    CHECK(!caucus_engine_get(attachment, NULL, &engine), "engine");
    CHECK(engine->agreement, "no meeting");
    check_verdicts(argc > 1 ? atoi(argv[1]) : 2000);
    check_proposals();
    MPI_Finalize();
    return 0;
}
