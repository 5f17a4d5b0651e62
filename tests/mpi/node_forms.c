/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank keeps of all others' nodes is what they say themselves; and nothing at all where
 * nodes are blocks of equally many ranks, but for the last.
 *
 * run: ranks=1,2,5 args=formula
 * run: ranks=4 args=formula env=CAUCUS_NODES=2x2
 * run: ranks=5 args=formula env=CAUCUS_NODES=3,2
 * run: ranks=5 args=formula env=CAUCUS_NODES=5x1
 * run: ranks=4 args=formula env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=5 args=arrays env=CAUCUS_NODES=2,3
 * run: ranks=4 args=arrays env=CAUCUS_NODES=1,3
 * run: ranks=5 args=arrays env=CAUCUS_NODES=2,1,2
 * run: ranks=6 args=arrays env=CAUCUS_NODES=cyclic:2
 * run: ranks=5 args=arrays env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich */
#include "schedules.h"

enum { MOST = 64 };

/* Of the ranks that this one shares memory with. */
static void check_nodes(const struct caucus_engine *engine) {
    const struct caucus_attachment *attachment = engine->attachment;
    const struct caucus_node_map *map = &engine->nodes;
    bool alone = !engine->shares_memory;
    int own[2] = {alone ? attachment->rank : attachment->node_index,
                  alone ? 0 : attachment->local_rank};
    int all[MOST][2], size = world_size();
    CHECK(alone || engine->shares_by_nodes, "nodes of one machine share memory");
    MPI_Allgather(own, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    CHECK(map->ranks == size, "%d ranks", map->ranks);
    for (int rank = 0; rank < size; rank++) {
        CHECK(caucus_node_of_rank(map, rank) == all[rank][0], "rank %d: node %d, not %d", rank,
              caucus_node_of_rank(map, rank), all[rank][0]);
        CHECK(caucus_local_of_rank(map, rank) == all[rank][1], "rank %d: place %d, not %d", rank,
              caucus_local_of_rank(map, rank), all[rank][1]);
    }
}

static void check_sizes(const struct caucus_attachment *attachment) {
    int32_t own = caucus_nodes_size(&attachment->nodes, attachment->node_index);
    CHECK(own == attachment->local_size, "%d ranks of the node, not %d", own,
          attachment->local_size);
    CHECK(attachment->nodes.ranks == world_size(), "%lld ranks",
          (long long)attachment->nodes.ranks);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct caucus_engine *engine = engine_of(MPI_COMM_WORLD);
    bool formula = argc > 1 && strcmp(argv[1], "formula") == 0;
    check_nodes(engine);
    check_sizes(engine->attachment);
    CHECK(formula == (engine->nodes.block > 0) && formula == !engine->nodes.node_of_rank,
          "nodes are %s", formula ? "not kept as a formula" : "kept as a formula");
    MPI_Finalize();
    return 0;
}
