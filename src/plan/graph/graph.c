/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/graph.h"

#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int caucus_graph_check(const struct caucus_graph *graph) {
    if (graph->vertices < 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the graph has %d vertices: it takes one at least",
                           graph->vertices);
    for (int32_t vertex = 0; vertex < graph->vertices; vertex++) {
        int64_t first = graph->start[vertex], end = graph->start[vertex + 1];
        if (first < 0 || end < first || (vertex == 0 && first != 0))
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "the edges of vertex %d begin at %lld and end at %lld", vertex,
                               (long long)first, (long long)end);
        for (int64_t k = first; k < end; k++) {
            if (graph->to[k] < 0 || graph->to[k] >= graph->vertices)
                return caucus_fail(CAUCUS_BAD_ARGUMENT,
                                   "an edge leads from vertex %d to %d: they are 0 to %d", vertex,
                                   graph->to[k], graph->vertices - 1);
            if (graph->weight && graph->weight[k] < 0)
                return caucus_fail(CAUCUS_BAD_ARGUMENT,
                                   "the edge from vertex %d to %d has the weight %d: it must not "
                                   "be negative",
                                   vertex, graph->to[k], graph->weight[k]);
        }
    }
    return CAUCUS_OK;
}

static void widen(struct caucus_neighbor_range *range, int neighbors) {
    range->min = neighbors < range->min ? neighbors : range->min;
    range->max = neighbors > range->max ? neighbors : range->max;
    range->mean += neighbors;
}

/* Adds the edges of one vertex; returns the weight of those that leave its part. */
static double add_vertex(const struct caucus_graph *graph, int32_t vertex,
                         const int32_t *part_of_vertex, struct caucus_grid_score *score) {
    int on = 0, off = 0;
    double leaving = 0;
    for (int64_t k = graph->start[vertex]; k < graph->start[vertex + 1]; k++) {
        double weight = graph->weight ? graph->weight[k] : 1;
        if (graph->to[k] == vertex)
            continue;
        bool stays = part_of_vertex[graph->to[k]] == part_of_vertex[vertex];
        score->total += weight;
        leaving += stays ? 0 : weight;
        on += stays;
        off += !stays;
    }
    widen(&score->on, on);
    widen(&score->off, off);
    return leaving;
}

int caucus_graph_evaluate(const struct caucus_graph *graph, const int32_t *part_of_vertex,
                          int32_t parts, struct caucus_grid_score *score) {
    double *leaving = caucus_array(parts, sizeof *leaving);
    if (!leaving)
        return CAUCUS_NO_MEMORY;
    *score = (struct caucus_grid_score){.on = {.min = INT_MAX}, .off = {.min = INT_MAX}};
    for (int32_t vertex = 0; vertex < graph->vertices; vertex++)
        leaving[part_of_vertex[vertex]] += add_vertex(graph, vertex, part_of_vertex, score);
    for (int32_t part = 0; part < parts; part++) {
        score->jsum += leaving[part];
        score->jmax = leaving[part] > score->jmax ? leaving[part] : score->jmax;
    }
    score->on.mean /= graph->vertices;
    score->off.mean /= graph->vertices;
    free(leaving);
    return CAUCUS_OK;
}
