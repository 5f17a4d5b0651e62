/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner of graphs against METIS alone and against what is given, on graphs from a file:
 *     plan_graphs FILE
 * where each graph is a line NAME VERTICES EDGES RANKS-A-NODE and a line FROM TO WEIGHT for each
 * edge, the edges sorted. METIS gets the sizes of the nodes as target weights, the tightest balance
 * that it takes and four cuts; the better of its two methods counts, after its sizes were made
 * exact by the planner's own repair. Prints a line of JSON for each graph. */
#include "base/memory.h"
#include "base/scotch.h"
#include "base/status.h"
#include "plan/graph/partitioners.h"
#include "plan/grid/refine.h"
#include "study/graph/leaders.h"

#include <metis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit numbers is needed");

enum { NAME = 64 };

struct graph_case {
    char name[NAME];
    struct caucus_graph_problem problem;
    struct caucus_graph graph;
    int64_t *start;
    int32_t *to, *weight, *given;
};

static void case_free(struct graph_case *one) {
    caucus_nodes_free(&one->problem.nodes);
    free(one->start);
    free(one->to);
    free(one->weight);
    free(one->given);
    memset(one, 0, sizeof *one);
}

static int make_nodes(struct graph_case *one, int32_t per_node) {
    int32_t vertices = one->graph.vertices, nodes = (vertices + per_node - 1) / per_node;
    int32_t *size = caucus_array(nodes, sizeof *size);
    for (int32_t vertex = 0; size && vertex < vertices; vertex++)
        size[one->given[vertex] = vertex / per_node]++;
    int status = size ? caucus_nodes_init(&one->problem.nodes, nodes, size) : CAUCUS_NO_MEMORY;
    free(size);
    return status;
}

static int read_edges(FILE *file, struct graph_case *one, int64_t edges) {
    for (int64_t k = 0; k < edges; k++) {
        int32_t from;
        if (fscanf(file, "%d %d %d", &from, &one->to[k], &one->weight[k]) != 3 || from < 0 ||
            from >= one->graph.vertices)
            return caucus_fail(CAUCUS_BAD_FILE, "%s: edge %lld is wrong", one->name, (long long)k);
        one->start[from + 1] = k + 1;
    }
    for (int32_t vertex = 0; vertex < one->graph.vertices; vertex++)
        if (one->start[vertex + 1] < one->start[vertex])
            one->start[vertex + 1] = one->start[vertex];
    return CAUCUS_OK;
}

/* False at the end of the file. */
static bool case_read(FILE *file, struct graph_case *one, int *status) {
    int32_t vertices, per_node;
    long long edges;
    memset(one, 0, sizeof *one);
    if (fscanf(file, "%63s %d %lld %d", one->name, &vertices, &edges, &per_node) != 4)
        return false;
    one->start = caucus_array((int64_t)vertices + 1, sizeof *one->start);
    one->to = caucus_array(edges, sizeof *one->to);
    one->weight = caucus_array(edges, sizeof *one->weight);
    one->given = caucus_array(vertices, sizeof *one->given);
    one->graph = (struct caucus_graph){vertices, one->start, one->to, one->weight};
    one->problem.graph = &one->graph;
    *status = one->start && one->to && one->weight && one->given ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!*status)
        *status = read_edges(file, one, edges);
    if (!*status)
        *status = caucus_graph_check(&one->graph);
    if (!*status)
        *status = make_nodes(one, per_node);
    return true;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The ties as METIS wants them. */
struct tables {
    struct caucus_ties ties;
    idx_t *start, *weight, *size;
    real_t *share;
};

static int tables_init(const struct graph_case *one, struct tables *tables) {
    const struct caucus_nodes *nodes = &one->problem.nodes;
    int status = caucus_ties_init(&one->graph, &tables->ties);
    if (status)
        return status;
    int64_t count = tables->ties.start[one->graph.vertices];
    tables->start = caucus_array((int64_t)one->graph.vertices + 1, sizeof *tables->start);
    tables->weight = caucus_array(count, sizeof *tables->weight);
    tables->share = caucus_array(nodes->count, sizeof *tables->share);
    tables->size = caucus_array(nodes->count, sizeof *tables->size);
    if (!tables->start || !tables->weight || !tables->share || !tables->size)
        return CAUCUS_NO_MEMORY;
    for (int32_t vertex = 0; vertex <= one->graph.vertices; vertex++)
        tables->start[vertex] = (idx_t)tables->ties.start[vertex];
    for (int64_t k = 0; k < count; k++)
        tables->weight[k] = (idx_t)tables->ties.weight[k];
    for (int32_t node = 0; node < nodes->count; node++) {
        tables->size[node] = caucus_nodes_size(nodes, node);
        tables->share[node] = (real_t)caucus_nodes_size(nodes, node) / (real_t)one->graph.vertices;
    }
    return CAUCUS_OK;
}

static void tables_free(struct tables *tables) {
    caucus_ties_free(&tables->ties);
    free(tables->start);
    free(tables->weight);
    free(tables->share);
    free(tables->size);
}

/* What a partitioner said, with its sizes made exact; a jsum of 1e300 where it failed. */
static struct caucus_grid_score repaired(const struct graph_case *one, struct tables *tables,
                                         bool good, int32_t *node) {
    const struct caucus_nodes *nodes = &one->problem.nodes;
    struct caucus_cell_graph cells = {one->graph.vertices, 0, tables->ties.to, tables->weight,
                                      tables->ties.start};
    struct caucus_grid_score score;
    if (node)
        node[one->graph.vertices] = -1;
    if (!node || !good || caucus_grid_repair(&cells, nodes, node) ||
        caucus_graph_evaluate(&one->graph, node, nodes->count, &score))
        score = (struct caucus_grid_score){.jsum = 1e300};
    free(node);
    return score;
}

/* One of METIS's methods; a jsum of 1e300 where it fails. */
static struct caucus_grid_score partition(const struct graph_case *one, struct tables *tables,
                                          bool recursive) {
    const struct caucus_nodes *nodes = &one->problem.nodes;
    idx_t vertices = one->graph.vertices, constraints = 1, parts = nodes->count, cut;
    idx_t options[METIS_NOPTIONS];
    int32_t *node = caucus_array((int64_t)vertices + 1, sizeof *node);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = 1;
    options[METIS_OPTION_NCUTS] = 4;
    options[METIS_OPTION_SEED] = 1;
    int (*method)(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, real_t *,
                  real_t *, idx_t *, idx_t *, idx_t *) =
        recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
    bool good = node && method(&vertices, &constraints, tables->start, tables->ties.to, NULL, NULL,
                               tables->weight, &parts, tables->share, NULL, options, &cut,
                               node) == METIS_OK;
    return repaired(one, tables, good, node);
}

/* Scotch's mapping onto nodes that are all alike far apart. */
static struct caucus_grid_score map(const struct graph_case *one, struct tables *tables) {
    int32_t vertices = one->graph.vertices;
    int32_t *node = caucus_array((int64_t)vertices + 1, sizeof *node);
    bool good = node && caucus_scotch_partition(vertices, tables->ties.start, tables->ties.to,
                                                tables->weight, one->problem.nodes.count,
                                                tables->size, 0, node);
    return repaired(one, tables, good, node);
}

static void print(const char *name, const struct caucus_grid_score *score, double seconds) {
    printf(", \"%s\": {\"jsum\": %.17g, \"jmax\": %.17g, \"seconds\": %.4g}", name, score->jsum,
           score->jmax, seconds);
}

/* All leaders of nodes, one after the other. */
static int play(const struct graph_case *one) {
    const struct caucus_nodes *nodes = &one->problem.nodes;
    struct caucus_leaders leaders;
    struct caucus_grid_score score;
    int32_t *node = caucus_array(one->graph.vertices, sizeof *node);
    double begin = now();
    int status = caucus_leaders_play(&one->graph, nodes, one->given, &leaders);
    double seconds = now() - begin;
    if (!status && !node)
        status = CAUCUS_NO_MEMORY;
    if (!status) {
        caucus_leaders_nodes(&leaders, node);
        status = caucus_graph_evaluate(&one->graph, node, nodes->count, &score);
    }
    if (!status)
        print("leaders", &score, seconds);
    printf(", \"rounds\": %d, \"numbers\": %lld, \"most\": %lld", leaders.leader[0].round,
           (long long)leaders.numbers, (long long)leaders.most);
    caucus_leaders_free(&leaders);
    free(node);
    return status;
}

static int compare(struct graph_case *one) {
    struct tables tables = {.start = NULL};
    struct caucus_graph_choice choice;
    int status = tables_init(one, &tables);
    double begin = now();
    if (!status) {
        struct caucus_grid_score kway = partition(one, &tables, false);
        struct caucus_grid_score recursive = partition(one, &tables, true);
        printf("{\"name\": \"%s\", \"ranks\": %d, \"nodes\": %d, \"edges\": %lld", one->name,
               one->graph.vertices, one->problem.nodes.count,
               (long long)one->start[one->graph.vertices]);
        print("metis", caucus_grid_better(&recursive, &kway) ? &recursive : &kway, now() - begin);
        begin = now();
        struct caucus_grid_score mapped = map(one, &tables);
        print("scotch", &mapped, now() - begin);
    }
    tables_free(&tables);
    if (!status)
        status = play(one);
    for (int with = 0; with < 2 && !status; with++) {
        one->problem.partitioners = with ? caucus_partitioners : NULL;
        begin = now();
        status = caucus_graph_choose(&one->problem, one->given, &choice);
        if (status)
            break;
        if (!with)
            print("given", &choice.given, 0);
        print(with ? "both" : "own", &choice.score, now() - begin);
        if (with)
            printf(", \"method\": \"%s\"}\n", choice.method);
        caucus_graph_choice_free(&choice);
    }
    return status;
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    struct graph_case one;
    int status = file ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_FILE, "%s can't be read", argv[1]);
    while (!status && case_read(file, &one, &status)) {
        if (!status && one.problem.nodes.count > 1)
            status = compare(&one);
        case_free(&one);
    }
    if (status)
        fprintf(stderr, "plan_graphs: %s\n", caucus_error_text());
    if (file && file != stdin)
        fclose(file);
    return status ? 1 : 0;
}
