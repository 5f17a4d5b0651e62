/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/circulant_pipeline.h"

#include "plan/collective/cost.h"

/* The search for what a rank receives in each round. Every rank has a path from the root for each
 * block; a path is known by its last large skip. Skips are tried from the largest down, each is
 * used for one round, and the rank before it on the path must be early enough to have the block. */
struct search {
    const struct caucus_circulant *graph;
    int64_t rank;     /* plus size: so far that the paths wind once round the graph */
    int64_t nearest;  /* where the last path accepted ended: the next one ends before */
    uint64_t left;    /* the skips not yet used, as bits */
    int64_t *receive; /* by round */
};

static int highest(uint64_t bits) {
    return bits ? 63 - __builtin_clzll(bits) : -1;
}

/* Paths that have come to reached, by skips not above largest, for the rounds from round on.
 * Returns the first round that is still open. */
static int find_paths(struct search *search, int64_t reached, int largest, int round) {
    const int32_t *skip = search->graph->skip;
    for (int e = largest; e >= 0; e = highest(search->left & (((uint64_t)1 << e) - 1))) {
        if (round == search->graph->rounds)
            break;
        int64_t end = reached + skip[e];
        if (end > search->rank - skip[round] || end >= search->nearest)
            continue;
        if (end <= search->rank - skip[round + 1])
            round = find_paths(search, end, e, round);
        if (round == search->graph->rounds || reached > search->rank - skip[round + 1])
            break;
        search->nearest = end;
        search->receive[round++] = e;
        search->left &= ~((uint64_t)1 << e);
    }
    return round;
}

/* The round in which a rank gets its first block: the smallest skip on the path from the root. */
static int first_round(const struct caucus_circulant *graph, int32_t rank) {
    int32_t reached = 0;
    for (int k = graph->rounds - 1; k >= 0; k--) {
        if (reached + graph->skip[k] == rank)
            return k;
        if (reached + graph->skip[k] < rank)
            reached += graph->skip[k];
    }
    return graph->rounds;
}

/* A rank's own first block is new in this phase; all others are of the phase before. */
static void receive_blocks(const struct caucus_circulant *graph, int32_t rank, int64_t *receive) {
    int rounds = graph->rounds, first = first_round(graph, rank);
    struct search search = {
        .graph = graph,
        .rank = (int64_t)graph->size + rank,
        .nearest = 2 * (int64_t)graph->size,
        .left = (((uint64_t)1 << (rounds + 1)) - 1) & ~((uint64_t)1 << first),
        .receive = receive,
    };
    find_paths(&search, 0, highest(search.left), 0);
    for (int k = 0; k < rounds; k++)
        receive[k] = receive[k] == rounds ? first : receive[k] - rounds;
}

/* Blocks that do not exist stay below 0 in every phase. */
static const int64_t none = INT64_MIN / 2;

/* What a rank sends is what its neighbour receives. */
void caucus_pipeline_init(struct caucus_pipeline *pipeline, int32_t size, int32_t root,
                          int32_t rank, int64_t blocks) {
    struct caucus_circulant *graph = &pipeline->graph;
    int64_t neighbour[CAUCUS_CIRCULANT_ROUNDS];
    int32_t distance = caucus_circulant_back(size, rank, root);
    pipeline->rank = rank;
    pipeline->blocks = blocks;
    caucus_circulant_init(graph, size);
    pipeline->rounds = size > 1 ? blocks - 1 + graph->rounds : 0;
    receive_blocks(graph, distance, pipeline->receive);
    for (int k = 0; k < graph->rounds; k++) {
        int32_t to = caucus_circulant_on(size, distance, graph->skip[k]);
        receive_blocks(graph, to, neighbour);
        pipeline->send[k] = to == 0 ? none : neighbour[k];
        if (distance == 0)
            pipeline->receive[k] = none;
    }
}

/* The first phase begins so late that the last round ends one. */
struct caucus_pipeline_round caucus_pipeline_round_at(const struct caucus_pipeline *pipeline,
                                                      int64_t round) {
    const struct caucus_circulant *graph = &pipeline->graph;
    int64_t phase_rounds = graph->rounds;
    int64_t late = (phase_rounds - pipeline->rounds % phase_rounds) % phase_rounds;
    int64_t k = (round + late) % phase_rounds;
    int64_t grown = (round + late) / phase_rounds * phase_rounds - late;
    int64_t send = pipeline->send[k] + grown, receive = pipeline->receive[k] + grown;
    int64_t last = pipeline->blocks - 1;
    return (struct caucus_pipeline_round){
        .to = caucus_circulant_on(graph->size, pipeline->rank, graph->skip[k]),
        .from = caucus_circulant_back(graph->size, pipeline->rank, graph->skip[k]),
        .send = send < last ? send : last,
        .receive = receive < last ? receive : last,
    };
}

double caucus_pipeline_cost(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t blocks, int64_t parts, bool reduces) {
    double bytes = (double)task->volume / (double)(blocks * parts), seconds = 0;
    double reduce = reduces ? caucus_cost_reduce(model, bytes) : 0;
    struct caucus_circulant graph;
    caucus_circulant_init(&graph, task->ranks);
    for (int k = 0; k < graph.rounds; k++) {
        double message = caucus_cost_shift(task, model, graph.skip[k], bytes);
        if (parts == 1)
            seconds += message + reduce;
        else
            seconds += (double)parts * (message > reduce ? message : reduce);
    }
    return graph.rounds ? seconds * (double)(blocks - 1 + graph.rounds) / graph.rounds : 0;
}
