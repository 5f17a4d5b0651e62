/* SPDX-License-Identifier: BSD-3-Clause */
/* All algorithms between two groups, those of a collective together, the one for small data first:
 * of equal costs the first one is taken. */
#include "plan/intergroup/algorithms.h"

#include <stddef.h>
#include <string.h>

enum {
    COMMUTES = CAUCUS_NEEDS_COMMUTATIVE,
    NODES = CAUCUS_NEEDS_NODES,
    COUNTS = CAUCUS_NEEDS_COUNTS
};

/* What several entries have in common. */
static const char node_aware[] = "root and leaders along a postal tree, and through node memory";
static const char circulant[] =
    "n - 1 + ⌈log2(q + 1)⌉ rounds of an n-th of the data, every byte once (Träff 2024)";
static const char node_circulant[] =
    "root and leaders by circulant, every byte once, and through node memory";
static const char direct[] =
    "operands straight to all ranks of the other group, which combine them; needs no counts";
static const char binomial[] = "⌈log2(q + 1)⌉ rounds along a binomial tree";
static const char gather_direct[] = "q messages straight to the root: every byte once";
static const char scatter_direct[] = "q messages straight from the root: every byte once";
static const char leaders[] =
    "gathered by nodes to the lowest rank of each group, which swap, and broadcast by nodes";
static const char allgather_node_aware[] = "all blocks of both groups by the leaders of the nodes";
static const char dissemination[] =
    "⌈log2(p + q)⌉ rounds of doubling rows of blocks over both groups by turns";
static const char allgather_direct[] =
    "each block straight to all ranks of the other group; needs no counts";
static const char crossing[] =
    "an even share for each rank crosses, then an allgather in each group (Kang et al. 2019)";
static const char ring[] =
    "blocks cross as they are and go round each group; for groups of one size";
static const char striped_ring[] =
    "each port passes max(M_A, M_B) bytes, for any lengths, in chunks round a ring of each group";
static const char lanes[] = "all blocks of both groups in lanes, a ring of nodes each";
static const char node_striped_ring[] =
    "the striped ring of nodes, whose ranks pass chunks on by turns, then all through node memory";
static const char alltoall_direct[] = "all blocks straight to their ranks, 32 at a time";
static const char pairwise[] = "max(p, q) rounds, in each a swap with one rank of the other group";
static const char reduce_scatter_crossing[] =
    "an even reduce-scatter in each group, whose shares cross to whose blocks they are";
static const char reduce_scatter_striped_ring[] =
    "each port passes the bytes of one operand, for any lengths, in chunks round a ring of each";
static const char reduce_scatter_node_striped_ring[] =
    "operands are combined in node memory, then the striped ring of nodes, backwards";

/* What it emits and costs: see algorithms.h. */
#define BY(name) caucus_intergroup_##name, caucus_intergroup_##name##_cost

static const struct caucus_algorithm table[] = {
    {CAUCUS_BARRIER, "direct", "each rank tells all ranks of the other group", 0,
     BY(barrier_direct)},

    {CAUCUS_BCAST, "node_aware", node_aware, NODES, BY(rooted_node_aware)},
    {CAUCUS_BCAST, "postal",
     "all data along a tree for messages that are slow to arrive, quick to send (Bar-Noy and "
     "Kipnis 1994)",
     0, BY(bcast_postal)},
    {CAUCUS_BCAST, "binomial", "⌈log2(q + 1)⌉ rounds of all data along a binomial tree", 0,
     BY(bcast_binomial)},
    {CAUCUS_BCAST, "scatter_allgather",
     "2 ⌈log2(q + 1)⌉ rounds, every byte twice (Barnett et al. 1994)", 0,
     BY(bcast_scatter_allgather)},
    {CAUCUS_BCAST, "circulant", circulant, 0, BY(bcast_circulant)},
    {CAUCUS_BCAST, "node_circulant", node_circulant, NODES, BY(rooted_node_circulant)},
    {CAUCUS_BCAST, "direct", "all data from the root to each rank of the other group", 0,
     BY(bcast_direct)},

    {CAUCUS_REDUCE, "node_aware", node_aware, COMMUTES | NODES, BY(rooted_node_aware)},
    {CAUCUS_REDUCE, "postal",
     "all data along a tree to the lowest rank of the other group, which sends it on", 0,
     BY(reduce_postal)},
    {CAUCUS_REDUCE, "recursive_halving",
     "a reduce-scatter in the other group, whose ranks send their shares", 0,
     BY(reduce_recursive_halving)},
    {CAUCUS_REDUCE, "circulant", circulant, COMMUTES, BY(reduce_circulant)},
    {CAUCUS_REDUCE, "node_circulant", node_circulant, COMMUTES | NODES, BY(rooted_node_circulant)},
    {CAUCUS_REDUCE, "direct", "operands straight to the root, which combines them", 0,
     BY(reduce_direct)},

    {CAUCUS_ALLREDUCE, "node_aware",
     "a reduction by nodes in each group, whose lowest ranks swap, and a broadcast",
     COMMUTES | NODES, BY(node_leaders)},
    {CAUCUS_ALLREDUCE, "partners",
     "recursive doubling in each group, then ranks swap with partners", 0, BY(allreduce_partners)},
    {CAUCUS_ALLREDUCE, "leaders",
     "a reduction to the lowest rank of each group, which swap and broadcast", 0,
     BY(allreduce_leaders)},
    {CAUCUS_ALLREDUCE, "crossing",
     "a reduce-scatter in each group, whose shares cross, and an allgather in each", 0,
     BY(crossing)},
    {CAUCUS_ALLREDUCE, "striped_ring",
     "a reduce-scatter by the striped ring, then an allgather in each group", COMMUTES,
     BY(striped_ring)},
    {CAUCUS_ALLREDUCE, "node_striped_ring",
     "a reduce-scatter by the striped ring of nodes, then an allgather in lanes", COMMUTES | NODES,
     BY(node_striped_ring)},
    {CAUCUS_ALLREDUCE, "direct", direct, 0, BY(reduce_direct)},

    {CAUCUS_GATHER, "binomial", binomial, 0, BY(rooted_binomial)},
    {CAUCUS_GATHER, "direct", gather_direct, 0, BY(rooted_direct)},

    {CAUCUS_GATHERV, "binomial", binomial, COUNTS, BY(rooted_binomial)},
    {CAUCUS_GATHERV, "direct", gather_direct, 0, BY(rooted_direct)},

    {CAUCUS_SCATTER, "binomial", binomial, 0, BY(rooted_binomial)},
    {CAUCUS_SCATTER, "direct", scatter_direct, 0, BY(rooted_direct)},

    {CAUCUS_SCATTERV, "binomial", binomial, COUNTS, BY(rooted_binomial)},
    {CAUCUS_SCATTERV, "direct", scatter_direct, 0, BY(rooted_direct)},

    {CAUCUS_ALLGATHER, "leaders", leaders, NODES, BY(node_leaders)},
    {CAUCUS_ALLGATHER, "node_aware", allgather_node_aware, NODES, BY(allgather_node_aware)},
    {CAUCUS_ALLGATHER, "dissemination", dissemination, 0, BY(allgather_dissemination)},
    {CAUCUS_ALLGATHER, "direct", allgather_direct, 0, BY(alltoall_direct)},
    {CAUCUS_ALLGATHER, "crossing", crossing, 0, BY(crossing)},
    {CAUCUS_ALLGATHER, "ring", ring, 0, BY(ring)},
    {CAUCUS_ALLGATHER, "striped_ring", striped_ring, 0, BY(striped_ring)},
    {CAUCUS_ALLGATHER, "lanes", lanes, NODES, BY(allgather_lanes)},
    {CAUCUS_ALLGATHER, "node_striped_ring", node_striped_ring, NODES, BY(node_striped_ring)},

    {CAUCUS_ALLGATHERV, "leaders", leaders, NODES | COUNTS, BY(node_leaders)},
    {CAUCUS_ALLGATHERV, "node_aware", allgather_node_aware, NODES | COUNTS,
     BY(allgather_node_aware)},
    {CAUCUS_ALLGATHERV, "dissemination", dissemination, COUNTS, BY(allgather_dissemination)},
    {CAUCUS_ALLGATHERV, "direct", allgather_direct, 0, BY(alltoall_direct)},
    {CAUCUS_ALLGATHERV, "crossing", crossing, COUNTS, BY(crossing)},
    {CAUCUS_ALLGATHERV, "ring", ring, COUNTS, BY(ring)},
    {CAUCUS_ALLGATHERV, "striped_ring", striped_ring, COUNTS, BY(striped_ring)},
    {CAUCUS_ALLGATHERV, "lanes", lanes, NODES | COUNTS, BY(allgather_lanes)},
    {CAUCUS_ALLGATHERV, "node_striped_ring", node_striped_ring, NODES | COUNTS,
     BY(node_striped_ring)},

    {CAUCUS_ALLTOALL, "direct", alltoall_direct, 0, BY(alltoall_direct)},
    {CAUCUS_ALLTOALL, "pairwise", pairwise, 0, BY(alltoall_pairwise)},

    {CAUCUS_ALLTOALLV, "direct", alltoall_direct, 0, BY(alltoall_direct)},
    {CAUCUS_ALLTOALLV, "pairwise", pairwise, 0, BY(alltoall_pairwise)},

    {CAUCUS_ALLTOALLW, "direct", alltoall_direct, 0, BY(alltoall_direct)},
    {CAUCUS_ALLTOALLW, "pairwise", pairwise, 0, BY(alltoall_pairwise)},

    {CAUCUS_REDUCE_SCATTER, "crossing", reduce_scatter_crossing, COUNTS, BY(crossing)},
    {CAUCUS_REDUCE_SCATTER, "striped_ring", reduce_scatter_striped_ring, COMMUTES | COUNTS,
     BY(striped_ring)},
    {CAUCUS_REDUCE_SCATTER, "node_striped_ring", reduce_scatter_node_striped_ring,
     COMMUTES | NODES | COUNTS, BY(node_striped_ring)},
    {CAUCUS_REDUCE_SCATTER, "direct", direct, 0, BY(reduce_direct)},

    {CAUCUS_REDUCE_SCATTER_BLOCK, "crossing", reduce_scatter_crossing, 0, BY(crossing)},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "striped_ring", reduce_scatter_striped_ring, COMMUTES,
     BY(striped_ring)},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "node_striped_ring", reduce_scatter_node_striped_ring,
     COMMUTES | NODES, BY(node_striped_ring)},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "direct",
     "blocks of operands straight to whose they are, who combines them", 0, BY(reduce_direct)},
};

enum { ALGORITHMS = sizeof table / sizeof *table };

/* The first entries of one group's table: its barriers serve the union of both as they are. */
enum { BARRIERS = 3 };

const struct caucus_algorithm *caucus_intergroup_algorithm(int index) {
    if (index < BARRIERS)
        return caucus_algorithm_entry(index);
    return index - BARRIERS < ALGORITHMS ? &table[index - BARRIERS] : NULL;
}

int caucus_intergroup_algorithm_first(enum caucus_collective collective) {
    const struct caucus_algorithm *algorithm;
    int index = 0;
    while ((algorithm = caucus_intergroup_algorithm(index)) && algorithm->collective != collective)
        index++;
    return index;
}

const struct caucus_algorithm *caucus_intergroup_algorithm_find(enum caucus_collective collective,
                                                                const char *name) {
    const struct caucus_algorithm *algorithm;
    for (int i = 0; (algorithm = caucus_intergroup_algorithm(i)); i++)
        if (algorithm->collective == collective && strcmp(algorithm->name, name) == 0)
            return algorithm;
    return NULL;
}
