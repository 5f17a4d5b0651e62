/* SPDX-License-Identifier: BSD-3-Clause */
/* Placing a graph on a machine that is described by a text. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/graph/partitioners.h"
#include "plan/graph/place.h"
#include "study/face/plan.h"

#include <stdio.h>
#include <string.h>

static void fill(const struct caucus_machine *machine,
                 const struct caucus_graph_placement *placement,
                 caucus_plan_graph_outcome *outcome) {
    memset(outcome, 0, sizeof *outcome);
    snprintf(outcome->method, sizeof outcome->method, "%s", placement->method);
    outcome->ranks = machine->ranks;
    outcome->nodes = machine->parts[CAUCUS_LEVEL_NODE];
    outcome->levels = machine->levels;
    outcome->given = caucus_plan_traffic(&placement->given);
    outcome->placed = caucus_plan_traffic(&placement->placed);
    memcpy(outcome->inner_given, placement->inner_given, sizeof outcome->inner_given);
    memcpy(outcome->inner_placed, placement->inner_placed, sizeof outcome->inner_placed);
}

static int place(const struct caucus_graph *graph, const struct caucus_machine *machine,
                 int32_t *rank_of_vertex, int32_t *node_of_vertex,
                 caucus_plan_graph_outcome *outcome) {
    struct caucus_graph_placement placement;
    struct caucus_places places = {.ranks = (int32_t)machine->ranks,
                                   .nodes = machine->parts[CAUCUS_LEVEL_NODE],
                                   .node = machine->part_of_rank[CAUCUS_LEVEL_NODE],
                                   .levels = machine->levels - 1};
    for (int level = 0; level < places.levels; level++)
        places.part[level] = machine->part_of_rank[level + 1];
    int status = caucus_graph_place(graph, &places, caucus_partitioners, 0, &placement);
    if (status)
        return status;
    fill(machine, &placement, outcome);
    for (int32_t vertex = 0; vertex < graph->vertices; vertex++) {
        rank_of_vertex[vertex] = placement.rank_of_vertex[vertex];
        if (!node_of_vertex)
            continue;
        node_of_vertex[vertex] = places.node[vertex];
        node_of_vertex[graph->vertices + (int64_t)vertex] = places.node[rank_of_vertex[vertex]];
    }
    caucus_graph_placement_free(&placement);
    return CAUCUS_OK;
}

int caucus_plan_graph(int32_t vertices, const int64_t start[], const int32_t to[],
                      const int32_t weights[], const char *machine, int64_t ranks,
                      int32_t rank_of_vertex[], int32_t node_of_vertex[],
                      caucus_plan_graph_outcome *outcome) {
    const struct caucus_graph graph = {vertices, start, to, weights};
    struct caucus_machine parsed = {0};
    int status = caucus_graph_check(&graph);
    if (!status)
        status = caucus_plan_read_machine(&parsed, machine, ranks, vertices, "vertices");
    if (!status)
        status = place(&graph, &parsed, rank_of_vertex, node_of_vertex, outcome);
    caucus_machine_free(&parsed);
    return caucus_plan_status_of(status);
}
