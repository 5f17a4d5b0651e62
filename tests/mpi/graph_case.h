/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph that every rank knows whole, and its traffic by brute force, apart from the library. */
#ifndef TESTS_MPI_GRAPH_CASE_H
#define TESTS_MPI_GRAPH_CASE_H

#include "traffic.h"

enum { MOST_EDGES = 1024 };

struct edge {
    int from, to, weight;
};

struct graph {
    int count, weighted;
    struct edge edge[MOST_EDGES];
};

/* Between 0 and most - 1; the same on all ranks. */
static inline int graph_random(unsigned *state, int most) {
    *state = *state * 1103515245 + 12345;
    return (int)((*state >> 16) % (unsigned)most);
}

/* Sparse or dense, with ranks that have no edges at all now and then. */
static inline void random_graph(struct graph *graph, int ranks, int seed) {
    unsigned state = (unsigned)seed * 77 + 5;
    int used = seed % 4 == 3 ? (ranks + 1) / 2 : ranks;
    graph->weighted = seed % 2;
    graph->count = seed == 5 ? 0 : graph_random(&state, 4 * ranks) + ranks;
    for (int k = 0; k < graph->count; k++)
        graph->edge[k] = (struct edge){graph_random(&state, used), graph_random(&state, used),
                                       graph_random(&state, 20)};
}

struct lists {
    int in, out;
    int sources[MOST_EDGES], source_weights[MOST_EDGES];
    int targets[MOST_EDGES], target_weights[MOST_EDGES];
};

static inline void list_edges(const struct graph *graph, int rank, struct lists *lists) {
    lists->in = lists->out = 0;
    for (int k = 0; k < graph->count; k++) {
        const struct edge *edge = &graph->edge[k];
        if (edge->to == rank) {
            lists->sources[lists->in] = edge->from;
            lists->source_weights[lists->in++] = edge->weight;
        }
        if (edge->from == rank) {
            lists->targets[lists->out] = edge->to;
            lists->target_weights[lists->out++] = edge->weight;
        }
    }
}

static inline const int *weights_of(const struct graph *graph, int count, const int *weights) {
    return !graph->weighted ? MPI_UNWEIGHTED : count > 0 ? weights : MPI_WEIGHTS_EMPTY;
}

struct sums {
    double off, worst, all;
};

/* If role i is on node[i]. */
static inline struct sums sums_of(const struct graph *graph, const int *node) {
    struct sums sums = {0};
    double leaving[MOST_RANKS] = {0};
    for (int k = 0; k < graph->count; k++) {
        const struct edge *edge = &graph->edge[k];
        double weight = graph->weighted ? edge->weight : 1;
        sums.all += edge->from != edge->to ? weight : 0;
        if (node[edge->from] != node[edge->to]) {
            sums.off += weight;
            leaving[node[edge->from]] += weight;
        }
    }
    for (int i = 0; i < MOST_RANKS; i++)
        sums.worst = leaving[i] > sums.worst ? leaving[i] : sums.worst;
    return sums;
}

#endif
