/* SPDX-License-Identifier: BSD-3-Clause */
/* For each cell that a node has too many: the cheapest chain of nodes to one that has too few
 * (E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik,
 * 1959), then one cell moves along each hop, so that the nodes between keep their sizes.
 *
 *     cost of a hop u -> v = the least of what the cut grows by if a cell of u goes to v, + 0.1
 *
 * Where no chain leads to such a node (a stencil that does not connect the grid), the cell that is
 * tied least goes there at once. O(cells + nodes) memory beside the graph; each search usually
 * looks at the cells of a few nodes. */
#include "plan/grid/repair.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { HOP_COST = CAUCUS_WEIGHT_UNIT / 10 };

enum { UNSEEN = -1, SETTLED = -2 }; /* otherwise a place in the heap */

struct repair {
    const struct caucus_cell_graph *graph;
    int32_t *node_of_cell;
    int32_t *surplus;               /* [nodes]: cells it has beyond its size */
    int32_t *first, *next, *before; /* the cells of each node as lists; -1 ends them */
    int64_t *distance;              /* the rest: of the search, [nodes] */
    int32_t *from, *cell;           /* the hop that leads here, and the cell that moves along it */
    int32_t *place;                 /* in the heap, or one of the above */
    int32_t *heap, *seen;
    int32_t heap_count, seen_count;
};

static void list_add(struct repair *repair, int32_t node, int32_t cell) {
    int32_t head = repair->first[node];
    repair->node_of_cell[cell] = node;
    repair->next[cell] = head;
    repair->before[cell] = -1;
    if (head >= 0)
        repair->before[head] = cell;
    repair->first[node] = cell;
    repair->surplus[node]++;
}

static void list_remove(struct repair *repair, int32_t cell) {
    int32_t node = repair->node_of_cell[cell];
    int32_t before = repair->before[cell], next = repair->next[cell];
    if (before >= 0)
        repair->next[before] = next;
    else
        repair->first[node] = next;
    if (next >= 0)
        repair->before[next] = before;
    repair->surplus[node]--;
}

static void move_cell(struct repair *repair, int32_t cell, int32_t node) {
    list_remove(repair, cell);
    list_add(repair, node, cell);
}

/* The weight that ties a cell to a node. */
static int64_t tie(const struct repair *repair, int32_t cell, int32_t node) {
    const struct caucus_cell_graph *graph = repair->graph;
    const int32_t *neighbor = graph->table + (int64_t)cell * graph->links;
    int64_t weight = 0;
    for (int link = 0; link < graph->links; link++)
        weight += repair->node_of_cell[neighbor[link]] == node ? graph->weight[link] : 0;
    return weight;
}

static bool heap_less(const struct repair *repair, int32_t a, int32_t b) {
    int64_t difference = repair->distance[a] - repair->distance[b];
    return difference < 0 || (difference == 0 && a < b);
}

static void heap_set(struct repair *repair, int32_t place, int32_t node) {
    repair->heap[place] = node;
    repair->place[node] = place;
}

/* Puts a node, new or nearer than before, where it belongs. */
static void heap_raise(struct repair *repair, int32_t node) {
    int32_t place = repair->place[node] >= 0 ? repair->place[node] : repair->heap_count++;
    for (; place > 0 && heap_less(repair, node, repair->heap[(place - 1) / 2]);
         place = (place - 1) / 2)
        heap_set(repair, place, repair->heap[(place - 1) / 2]);
    heap_set(repair, place, node);
}

static int32_t heap_pop(struct repair *repair) {
    int32_t top = repair->heap[0];
    int32_t last = repair->heap[--repair->heap_count];
    int32_t place = 0;
    for (;;) {
        int32_t child = 2 * place + 1;
        if (child + 1 < repair->heap_count &&
            heap_less(repair, repair->heap[child + 1], repair->heap[child]))
            child++;
        if (child >= repair->heap_count || !heap_less(repair, repair->heap[child], last))
            break;
        heap_set(repair, place, repair->heap[child]);
        place = child;
    }
    if (repair->heap_count > 0)
        heap_set(repair, place, last);
    repair->place[top] = SETTLED;
    return top;
}

static void reach(struct repair *repair, int32_t node, int64_t distance, int32_t from,
                  int32_t cell) {
    if (repair->place[node] == SETTLED ||
        (repair->place[node] >= 0 && repair->distance[node] <= distance))
        return;
    if (repair->place[node] == UNSEEN)
        repair->seen[repair->seen_count++] = node;
    repair->distance[node] = distance;
    repair->from[node] = from;
    repair->cell[node] = cell;
    heap_raise(repair, node);
}

static void look_around(struct repair *repair, int32_t node) {
    const struct caucus_cell_graph *graph = repair->graph;
    for (int32_t cell = repair->first[node]; cell >= 0; cell = repair->next[cell]) {
        int64_t held = -1;
        for (int link = 0; link < graph->links; link++) {
            int32_t other = repair->node_of_cell[graph->table[(int64_t)cell * graph->links + link]];
            if (other < 0 || other == node || repair->place[other] == SETTLED)
                continue;
            held = held < 0 ? tie(repair, cell, node) : held;
            int64_t growth = held - tie(repair, cell, other);
            reach(repair, other, repair->distance[node] + (growth > 0 ? growth : 0) + HOP_COST,
                  node, cell);
        }
    }
}

/* The nearest node with too few cells; -1 if none can be reached. */
static int32_t search(struct repair *repair, int32_t start) {
    while (repair->seen_count > 0)
        repair->place[repair->seen[--repair->seen_count]] = UNSEEN;
    repair->heap_count = 0;
    reach(repair, start, 0, -1, -1);
    while (repair->heap_count > 0) {
        int32_t node = heap_pop(repair);
        if (repair->surplus[node] < 0)
            return node;
        look_around(repair, node);
    }
    return -1;
}

static int32_t loosest_cell(const struct repair *repair, int32_t node) {
    int32_t loosest = repair->first[node];
    for (int32_t cell = loosest; cell >= 0; cell = repair->next[cell])
        if (tie(repair, cell, node) < tie(repair, loosest, node))
            loosest = cell;
    return loosest;
}

static void repair_sizes(struct repair *repair, int32_t nodes) {
    int32_t lacking = 0;
    for (int32_t node = 0; node < nodes; node++)
        while (repair->surplus[node] > 0) {
            int32_t at = search(repair, node);
            for (; at >= 0 && at != node; at = repair->from[at])
                move_cell(repair, repair->cell[at], at);
            if (at >= 0)
                continue;
            while (repair->surplus[lacking] >= 0)
                lacking++;
            move_cell(repair, loosest_cell(repair, node), lacking);
        }
}

static bool allocate(struct repair *repair, int64_t cells, int32_t nodes) {
    int32_t *of_cells = caucus_array(2 * cells, sizeof *of_cells);
    int32_t *of_nodes = caucus_array(7 * (int64_t)nodes, sizeof *of_nodes);
    repair->next = of_cells;
    repair->surplus = of_nodes;
    repair->distance = caucus_array(nodes, sizeof *repair->distance);
    if (!of_cells || !of_nodes || !repair->distance)
        return false;
    repair->before = of_cells + cells;
    int32_t **array[] = {&repair->first, &repair->from, &repair->cell,
                         &repair->place, &repair->heap, &repair->seen};
    for (int i = 0; i < 6; i++)
        *array[i] = of_nodes + (i + 1) * (int64_t)nodes;
    return true;
}

int caucus_grid_repair(const struct caucus_cell_graph *graph, const struct caucus_nodes *nodes,
                       int32_t *node_of_cell) {
    struct repair repair = {.graph = graph, .node_of_cell = node_of_cell};
    bool enough = allocate(&repair, graph->cells, nodes->count);
    if (enough) {
        for (int32_t node = 0; node < nodes->count; node++) {
            repair.surplus[node] = -caucus_nodes_size(nodes, node);
            repair.first[node] = -1;
            repair.place[node] = UNSEEN;
        }
        for (int64_t cell = graph->cells - 1; cell >= 0; cell--)
            list_add(&repair, node_of_cell[cell], (int32_t)cell);
        repair_sizes(&repair, nodes->count);
    }
    free(repair.next);
    free(repair.surplus);
    free(repair.distance);
    return enough ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}
