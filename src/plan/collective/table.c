/* SPDX-License-Identifier: BSD-3-Clause */
/* All algorithms, those of a collective together, the one for small data first: of equal costs the
 * first one is taken. */
#include "plan/collective/algorithms.h"

#include "base/status.h"

#include <stddef.h>
#include <string.h>

enum {
    COMMUTES = CAUCUS_NEEDS_COMMUTATIVE,
    NODES = CAUCUS_NEEDS_NODES,
    ONE_NODE = CAUCUS_NEEDS_ONE_NODE,
    COUNTS = CAUCUS_NEEDS_COUNTS,
    TRAFFIC = CAUCUS_NEEDS_TRAFFIC,
    ORDERED = CAUCUS_NEEDS_ORDERED
};

/* What several entries have in common. */
static const char circulant[] =
    "n - 1 + ⌈log2 p⌉ rounds of an n-th of the data, every byte once (Träff 2024)";
static const char node_aware_ordered[] =
    "as node_aware, in the order of ranks, where nodes are blocks of them";
static const char lanes[] =
    "each rank of a node reduces a part between nodes, the rest by node memory";
static const char lanes_ordered[] =
    "as lanes, in the order of ranks, where nodes are blocks of them";
static const char rooted_binomial[] =
    "⌈log2 p⌉ rounds along a binomial tree, subtrees in one message";
static const char gather_linear[] = "p - 1 messages straight to the root: every byte once";
static const char gather_node_aware[] =
    "blocks of a node through node memory to its leader, leaders along a binomial tree";
static const char rooted_node_memory[] =
    "one node: blocks pass through node memory in pieces of a fixed size";
static const char scatter_linear[] = "p - 1 messages straight from the root: every byte once";
static const char scatter_node_aware[] =
    "leaders along a binomial tree, blocks of a node through node memory to its ranks";
static const char allgather_bruck[] =
    "⌈log2 p⌉ rounds of doubling rows of blocks (Bruck et al. 1997)";
static const char allgather_circulant[] =
    "⌈log2 p⌉ rounds, every byte received once and in place (Träff 2024)";
static const char allgather_ring[] =
    "p - 1 rounds of one block to the next rank: every byte received once";
static const char allgather_node_aware[] =
    "blocks of a node through node memory to its leader, leaders by Bruck's, and back";
static const char allgather_lanes[] =
    "a ring of nodes in each of many lanes, then all blocks through node memory";
static const char alltoall_linear[] = "all blocks straight to their ranks, 32 at a time";
static const char alltoall_pairwise[] =
    "p - 1 rounds, in round k to the rank k further and from k before";
static const char alltoall_node_aggregated[] =
    "what one node has for another travels together, by node memory";
static const char reduce_scatter_recursive_halving[] =
    "⌈log2 p⌉ rounds between halves of the ranks, every byte once (Träff 2005)";
static const char reduce_scatter_circulant[] =
    "⌈log2 p⌉ rounds, every block sent once (Träff 2024)";
static const char reduce_scatter_pairwise[] = "p - 1 rounds of one block, every byte sent once";
static const char reduce_scatter_node_memory[] =
    "one node: all copy into node memory, each rank combines its own block";
static const char reduce_scatter_node_aware[] =
    "the leader of each node combines its operands, leaders reduce-scatter, and back";
static const char scan_chain[] =
    "p - 2 + s rounds, or 2 (p - 2) + s, of an s-th to the next rank, every byte once";
static const char scan_node_memory[] =
    "one node: all copy into node memory and combine what lower ranks have";
static const char neighbor_linear[] = "a message for each neighbour, about 64 at a time";
static const char neighbor_node_aggregated[] =
    "what one node has for another travels together, equal blocks once";

static const struct caucus_algorithm table[] = {
    {CAUCUS_BARRIER, "dissemination",
     "⌈log2 p⌉ rounds, in round k to the rank 2^k further (Hensgen et al. 1988)", 0,
     caucus_barrier_dissemination, caucus_barrier_dissemination_cost},
    {CAUCUS_BARRIER, "node_lines", "one node: every rank raises a flag and awaits those of all",
     ONE_NODE, caucus_barrier_node_lines, caucus_barrier_node_lines_cost},
    {CAUCUS_BARRIER, "node_aware",
     "flags to the leader of each node, leaders by dissemination, a flag back", NODES,
     caucus_barrier_node_aware, caucus_barrier_node_aware_cost},

    {CAUCUS_BCAST, "postal",
     "all data along a tree for messages that are slow to arrive, quick to send (Bar-Noy and "
     "Kipnis 1994)",
     0, caucus_bcast_postal, caucus_bcast_postal_cost},
    {CAUCUS_BCAST, "binomial", "⌈log2 p⌉ rounds of all data along a binomial tree", 0,
     caucus_bcast_binomial, caucus_bcast_binomial_cost},
    {CAUCUS_BCAST, "scatter_allgather",
     "2 ⌈log2 p⌉ rounds, every byte twice: scatter a p-th to each rank, gather them at all "
     "(Barnett et al. 1994)",
     0, caucus_bcast_scatter_allgather, caucus_bcast_scatter_allgather_cost},
    {CAUCUS_BCAST, "circulant", circulant, 0, caucus_bcast_circulant, caucus_bcast_circulant_cost},
    {CAUCUS_BCAST, "node_aware", "leaders along a postal tree, and through the memory of each node",
     NODES, caucus_bcast_node_aware, caucus_bcast_node_aware_cost},
    {CAUCUS_BCAST, "lanes",
     "each rank of a node passes a part on between nodes, the rest by node memory", NODES,
     caucus_bcast_lanes, caucus_bcast_lanes_cost},

    {CAUCUS_REDUCE, "postal",
     "all data along a tree for messages that are slow to arrive, quick to receive (Bar-Noy and "
     "Kipnis 1994)",
     0, caucus_reduce_postal, caucus_reduce_postal_cost},
    {CAUCUS_REDUCE, "binomial",
     "⌈log2 p⌉ rounds of all data along a binomial tree, one more to keep the order of ranks", 0,
     caucus_reduce_binomial, caucus_reduce_binomial_cost},
    {CAUCUS_REDUCE, "recursive_halving",
     "2 ⌈log2 p⌉ rounds, every byte twice: halve between halves of the ranks, then gather "
     "(Rabenseifner 2004)",
     0, caucus_reduce_recursive_halving, caucus_reduce_recursive_halving_cost},
    {CAUCUS_REDUCE, "circulant", circulant, COMMUTES, caucus_reduce_circulant,
     caucus_reduce_circulant_cost},
    {CAUCUS_REDUCE, "node_direct",
     "one node: one synchronization, the root combines what all copied into node memory", ONE_NODE,
     caucus_reduce_node_direct, caucus_reduce_node_direct_cost},
    {CAUCUS_REDUCE, "node_memory",
     "one node: each rank combines a part in node memory, the root gathers the parts", ONE_NODE,
     caucus_reduce_node_memory, caucus_reduce_node_memory_cost},
    {CAUCUS_REDUCE, "node_aware",
     "the leader of each node combines its operands, leaders along a postal tree", NODES | COMMUTES,
     caucus_reduce_node_aware, caucus_reduce_node_aware_cost},
    {CAUCUS_REDUCE, "node_aware_ordered", node_aware_ordered, NODES | ORDERED,
     caucus_reduce_node_aware, caucus_reduce_node_aware_cost},
    {CAUCUS_REDUCE, "lanes", lanes, NODES | COMMUTES, caucus_reduce_lanes, caucus_node_lanes_cost},
    {CAUCUS_REDUCE, "lanes_ordered", lanes_ordered, NODES | ORDERED, caucus_reduce_lanes,
     caucus_node_lanes_cost},

    {CAUCUS_ALLREDUCE, "recursive_doubling",
     "⌈log2 p⌉ rounds of all data between halves of the ranks (Thakur et al. 2005)", 0,
     caucus_allreduce_recursive_doubling, caucus_allreduce_recursive_doubling_cost},
    {CAUCUS_ALLREDUCE, "recursive_halving",
     "2 ⌈log2 p⌉ rounds, every byte twice: halve between halves of the ranks, then double "
     "(Rabenseifner 2004)",
     0, caucus_reduce_recursive_halving, caucus_reduce_recursive_halving_cost},
    {CAUCUS_ALLREDUCE, "circulant",
     "2 ⌈log2 p⌉ rounds, every byte twice: reduce-scatter and allgather (Träff 2024)", COMMUTES,
     caucus_allreduce_circulant, caucus_allreduce_circulant_cost},
    {CAUCUS_ALLREDUCE, "ring",
     "2 (p - 1) rounds of a p-th of the data to the next rank (Patarasuk and Yuan 2009)", COMMUTES,
     caucus_allreduce_ring, caucus_allreduce_ring_cost},
    {CAUCUS_ALLREDUCE, "node_direct",
     "one node: one synchronization, every rank combines what all copied to node memory", ONE_NODE,
     caucus_reduce_node_direct, caucus_reduce_node_direct_cost},
    {CAUCUS_ALLREDUCE, "node_memory",
     "one node: each rank combines a part in node memory, all gather the parts", ONE_NODE,
     caucus_reduce_node_memory, caucus_reduce_node_memory_cost},
    {CAUCUS_ALLREDUCE, "node_aware",
     "node memory to the leader of each node, leaders by recursive doubling, and back",
     NODES | COMMUTES, caucus_allreduce_node_aware, caucus_allreduce_node_aware_cost},
    {CAUCUS_ALLREDUCE, "node_aware_ordered", node_aware_ordered, NODES | ORDERED,
     caucus_allreduce_node_aware, caucus_allreduce_node_aware_cost},
    {CAUCUS_ALLREDUCE, "lanes", lanes, NODES | COMMUTES, caucus_allreduce_lanes,
     caucus_node_lanes_cost},
    {CAUCUS_ALLREDUCE, "lanes_ordered", lanes_ordered, NODES | ORDERED, caucus_allreduce_lanes,
     caucus_node_lanes_cost},

    {CAUCUS_GATHER, "binomial", rooted_binomial, 0, caucus_rooted_binomial,
     caucus_rooted_binomial_cost},
    {CAUCUS_GATHER, "linear", gather_linear, 0, caucus_rooted_linear, caucus_rooted_linear_cost},
    {CAUCUS_GATHER, "node_aware", gather_node_aware, NODES, caucus_rooted_node_aware,
     caucus_node_rooted_cost},

    {CAUCUS_GATHERV, "binomial",
     "⌈log2 p⌉ rounds along a binomial tree; long blocks straight to the root", COUNTS,
     caucus_rooted_binomial, caucus_rooted_binomial_cost},
    {CAUCUS_GATHERV, "linear", gather_linear, 0, caucus_rooted_linear, caucus_rooted_linear_cost},
    {CAUCUS_GATHERV, "node_aware", gather_node_aware, NODES | COUNTS, caucus_rooted_node_aware,
     caucus_node_rooted_cost},
    {CAUCUS_GATHERV, "node_memory", rooted_node_memory, ONE_NODE, caucus_rooted_node_memory,
     caucus_node_rooted_cost},

    {CAUCUS_SCATTER, "binomial", rooted_binomial, 0, caucus_rooted_binomial,
     caucus_rooted_binomial_cost},
    {CAUCUS_SCATTER, "linear", scatter_linear, 0, caucus_rooted_linear, caucus_rooted_linear_cost},
    {CAUCUS_SCATTER, "node_aware", scatter_node_aware, NODES, caucus_rooted_node_aware,
     caucus_node_rooted_cost},

    {CAUCUS_SCATTERV, "binomial",
     "⌈log2 p⌉ rounds along a binomial tree; long blocks straight from the root", COUNTS,
     caucus_rooted_binomial, caucus_rooted_binomial_cost},
    {CAUCUS_SCATTERV, "linear", scatter_linear, 0, caucus_rooted_linear, caucus_rooted_linear_cost},
    {CAUCUS_SCATTERV, "node_aware", scatter_node_aware, NODES | COUNTS, caucus_rooted_node_aware,
     caucus_node_rooted_cost},
    {CAUCUS_SCATTERV, "node_memory", rooted_node_memory, ONE_NODE, caucus_rooted_node_memory,
     caucus_node_rooted_cost},

    {CAUCUS_ALLGATHER, "bruck", allgather_bruck, 0, caucus_allgather_bruck,
     caucus_allgather_bruck_cost},
    {CAUCUS_ALLGATHER, "circulant", allgather_circulant, 0, caucus_allgather_circulant,
     caucus_allgather_circulant_cost},
    {CAUCUS_ALLGATHER, "ring", allgather_ring, 0, caucus_allgather_ring,
     caucus_allgather_ring_cost},
    {CAUCUS_ALLGATHER, "node_aware", allgather_node_aware, NODES, caucus_allgather_node_aware,
     caucus_allgather_node_aware_cost},
    {CAUCUS_ALLGATHER, "lanes", allgather_lanes, NODES, caucus_allgather_lanes,
     caucus_allgather_lanes_cost},

    {CAUCUS_ALLGATHERV, "bruck", allgather_bruck, 0, caucus_allgather_bruck,
     caucus_allgather_bruck_cost},
    {CAUCUS_ALLGATHERV, "circulant", allgather_circulant, 0, caucus_allgather_circulant,
     caucus_allgather_circulant_cost},
    {CAUCUS_ALLGATHERV, "circulant_pipelined",
     "n - 1 + ⌈log2 p⌉ rounds of an n-th of all, however uneven (Träff 2024)", 0,
     caucus_allgatherv_circulant_pipelined, caucus_allgatherv_circulant_pipelined_cost},
    {CAUCUS_ALLGATHERV, "ring", allgather_ring, 0, caucus_allgather_ring,
     caucus_allgather_ring_cost},
    {CAUCUS_ALLGATHERV, "node_aware", allgather_node_aware, NODES, caucus_allgather_node_aware,
     caucus_allgather_node_aware_cost},
    {CAUCUS_ALLGATHERV, "lanes", allgather_lanes, NODES, caucus_allgather_lanes,
     caucus_allgather_lanes_cost},

    {CAUCUS_ALLTOALL, "bruck", "⌈log2 p⌉ rounds of half the blocks each (Bruck et al. 1997)", 0,
     caucus_alltoall_bruck, caucus_alltoall_bruck_cost},
    {CAUCUS_ALLTOALL, "linear", alltoall_linear, 0, caucus_alltoall_linear,
     caucus_alltoall_linear_cost},
    {CAUCUS_ALLTOALL, "pairwise", alltoall_pairwise, 0, caucus_alltoall_pairwise,
     caucus_alltoall_pairwise_cost},
    {CAUCUS_ALLTOALL, "node_aggregated", alltoall_node_aggregated, NODES,
     caucus_alltoall_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_ALLTOALLV, "linear", alltoall_linear, 0, caucus_alltoall_linear,
     caucus_alltoall_linear_cost},
    {CAUCUS_ALLTOALLV, "pairwise", alltoall_pairwise, 0, caucus_alltoall_pairwise,
     caucus_alltoall_pairwise_cost},
    {CAUCUS_ALLTOALLV, "node_aggregated", alltoall_node_aggregated, NODES | TRAFFIC,
     caucus_alltoall_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_ALLTOALLW, "linear", alltoall_linear, 0, caucus_alltoall_linear,
     caucus_alltoall_linear_cost},
    {CAUCUS_ALLTOALLW, "pairwise", alltoall_pairwise, 0, caucus_alltoall_pairwise,
     caucus_alltoall_pairwise_cost},
    {CAUCUS_ALLTOALLW, "node_aggregated", alltoall_node_aggregated, NODES | TRAFFIC,
     caucus_alltoall_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_REDUCE_SCATTER, "recursive_halving", reduce_scatter_recursive_halving, 0,
     caucus_reduce_scatter_recursive_halving, caucus_reduce_scatter_recursive_halving_cost},
    {CAUCUS_REDUCE_SCATTER, "circulant", reduce_scatter_circulant, COMMUTES,
     caucus_reduce_scatter_circulant, caucus_reduce_scatter_circulant_cost},
    {CAUCUS_REDUCE_SCATTER, "pairwise", reduce_scatter_pairwise, 0, caucus_reduce_scatter_pairwise,
     caucus_reduce_scatter_pairwise_cost},
    {CAUCUS_REDUCE_SCATTER, "node_memory", reduce_scatter_node_memory, ONE_NODE,
     caucus_reduce_scatter_node_memory, caucus_reduce_scatter_node_memory_cost},
    {CAUCUS_REDUCE_SCATTER, "node_aware", reduce_scatter_node_aware, NODES | COMMUTES,
     caucus_reduce_scatter_node_aware, caucus_reduce_scatter_node_aware_cost},
    {CAUCUS_REDUCE_SCATTER, "node_aware_ordered", node_aware_ordered, NODES | ORDERED,
     caucus_reduce_scatter_node_aware, caucus_reduce_scatter_node_aware_cost},
    {CAUCUS_REDUCE_SCATTER, "lanes", lanes, NODES | COMMUTES, caucus_reduce_scatter_lanes,
     caucus_reduce_scatter_lanes_cost},
    {CAUCUS_REDUCE_SCATTER, "lanes_ordered", lanes_ordered, NODES | ORDERED,
     caucus_reduce_scatter_lanes, caucus_reduce_scatter_lanes_cost},

    {CAUCUS_REDUCE_SCATTER_BLOCK, "recursive_halving", reduce_scatter_recursive_halving, 0,
     caucus_reduce_scatter_recursive_halving, caucus_reduce_scatter_recursive_halving_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "circulant", reduce_scatter_circulant, COMMUTES,
     caucus_reduce_scatter_circulant, caucus_reduce_scatter_circulant_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "pairwise", reduce_scatter_pairwise, 0,
     caucus_reduce_scatter_pairwise, caucus_reduce_scatter_pairwise_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "node_memory", reduce_scatter_node_memory, ONE_NODE,
     caucus_reduce_scatter_node_memory, caucus_reduce_scatter_node_memory_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "node_aware", reduce_scatter_node_aware, NODES | COMMUTES,
     caucus_reduce_scatter_node_aware, caucus_reduce_scatter_node_aware_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "node_aware_ordered", node_aware_ordered, NODES | ORDERED,
     caucus_reduce_scatter_node_aware, caucus_reduce_scatter_node_aware_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "lanes", lanes, NODES | COMMUTES, caucus_reduce_scatter_lanes,
     caucus_reduce_scatter_lanes_cost},
    {CAUCUS_REDUCE_SCATTER_BLOCK, "lanes_ordered", lanes_ordered, NODES | ORDERED,
     caucus_reduce_scatter_lanes, caucus_reduce_scatter_lanes_cost},

    {CAUCUS_SCAN, "recursive_doubling",
     "⌈log2 p⌉ rounds of all data, in round k to the rank 2^k further (Hillis and Steele 1986)", 0,
     caucus_scan_recursive_doubling, caucus_scan_recursive_doubling_cost},
    {CAUCUS_SCAN, "chain", scan_chain, 0, caucus_scan_chain, caucus_scan_chain_cost},
    {CAUCUS_SCAN, "node_memory", scan_node_memory, ONE_NODE, caucus_scan_node_memory,
     caucus_scan_node_memory_cost},
    {CAUCUS_SCAN, "node_aware",
     "scan in each node, exscan by the last ranks of the nodes, handed out in the node",
     NODES | ORDERED, caucus_scan_node_aware, caucus_scan_node_aware_cost},

    {CAUCUS_EXSCAN, "recursive_doubling",
     "⌈log2 p⌉ rounds or one more of all data, to ranks 1, 2, 3, 6, 12, … further (Träff 2025)", 0,
     caucus_exscan_recursive_doubling, caucus_exscan_recursive_doubling_cost},
    {CAUCUS_EXSCAN, "chain", scan_chain, 0, caucus_exscan_chain, caucus_scan_chain_cost},
    {CAUCUS_EXSCAN, "node_memory", scan_node_memory, ONE_NODE, caucus_scan_node_memory,
     caucus_scan_node_memory_cost},
    {CAUCUS_EXSCAN, "node_aware",
     "exscan in each node and by the last ranks of the nodes, handed out in the node",
     NODES | ORDERED, caucus_scan_node_aware, caucus_scan_node_aware_cost},

    {CAUCUS_NEIGHBOR_ALLGATHER, "linear", neighbor_linear, 0, caucus_neighbor_linear,
     caucus_traffic_cost_straight},
    {CAUCUS_NEIGHBOR_ALLGATHER, "node_aggregated", neighbor_node_aggregated, NODES | TRAFFIC,
     caucus_neighbor_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_NEIGHBOR_ALLGATHERV, "linear", neighbor_linear, 0, caucus_neighbor_linear,
     caucus_traffic_cost_straight},
    {CAUCUS_NEIGHBOR_ALLGATHERV, "node_aggregated", neighbor_node_aggregated, NODES | TRAFFIC,
     caucus_neighbor_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_NEIGHBOR_ALLTOALL, "linear", neighbor_linear, 0, caucus_neighbor_linear,
     caucus_traffic_cost_straight},
    {CAUCUS_NEIGHBOR_ALLTOALL, "node_aggregated", neighbor_node_aggregated, NODES | TRAFFIC,
     caucus_neighbor_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_NEIGHBOR_ALLTOALLV, "linear", neighbor_linear, 0, caucus_neighbor_linear,
     caucus_traffic_cost_straight},
    {CAUCUS_NEIGHBOR_ALLTOALLV, "node_aggregated", neighbor_node_aggregated, NODES | TRAFFIC,
     caucus_neighbor_node_aggregated, caucus_traffic_cost_by_nodes},

    {CAUCUS_NEIGHBOR_ALLTOALLW, "linear", neighbor_linear, 0, caucus_neighbor_linear,
     caucus_traffic_cost_straight},
    {CAUCUS_NEIGHBOR_ALLTOALLW, "node_aggregated", neighbor_node_aggregated, NODES | TRAFFIC,
     caucus_neighbor_node_aggregated, caucus_traffic_cost_by_nodes},
};

enum { ALGORITHMS = sizeof table / sizeof *table };

const struct caucus_algorithm *caucus_algorithm_entry(int index) {
    return index >= 0 && index < ALGORITHMS ? &table[index] : NULL;
}

int caucus_algorithm_first(enum caucus_collective collective) {
    int index = 0;
    while (index < ALGORITHMS && table[index].collective != collective)
        index++;
    return index;
}

const struct caucus_algorithm *caucus_algorithm_find(enum caucus_collective collective,
                                                     const char *name) {
    for (int i = 0; i < ALGORITHMS; i++)
        if (table[i].collective == collective && strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const char *caucus_algorithm_unmet(unsigned needs, const struct caucus_task *task) {
    if (needs & CAUCUS_NEEDS_COMMUTATIVE && !task->commutative)
        return "the operation is not commutative";
    if (needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE) && !task->nodes)
        return "no memory is shared";
    if (needs & CAUCUS_NEEDS_ONE_NODE && task->nodes->nodes > 1)
        return "the ranks are on several nodes";
    if (needs & CAUCUS_NEEDS_ORDERED && !task->nodes->ordered)
        return "the nodes are not blocks of ranks";
    if (needs & CAUCUS_NEEDS_COUNTS && !task->counts_known)
        return "the counts of all ranks are known to persistent operations only";
    if (needs & CAUCUS_NEEDS_TRAFFIC && !task->traffic)
        return "who sends to whom is known to persistent operations only";
    return NULL;
}

int caucus_algorithm_serves(const struct caucus_algorithm *algorithm,
                            const struct caucus_task *task) {
    const char *why = caucus_algorithm_unmet(algorithm->needs, task);
    return why ? caucus_fail(CAUCUS_NOT_APPLICABLE, "%s by %s can't serve: %s",
                             caucus_collective_name(task->collective), algorithm->name, why)
               : CAUCUS_OK;
}

int caucus_algorithm_build(const struct caucus_algorithm *algorithm, const struct caucus_task *task,
                           struct caucus_schedule *schedule) {
    struct caucus_builder builder;
    caucus_builder_init(&builder, task->ranks, task->rank);
    algorithm->emit(&builder, task);
    return caucus_builder_finish(&builder, schedule);
}
