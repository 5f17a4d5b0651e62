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
#include "plan/grid/refine.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>

enum { HOP_COST = CAUCUS_WEIGHT_UNIT / 10 };

enum { UNSEEN = -1, SETTLED = -2 }; /* otherwise a place in the heap */

struct node {
    int32_t surplus;    /* cells it has beyond its size */
    int32_t first;      /* of its cells, a list; -1 ends it */
    int32_t place;      /* the rest is the search's: in the heap, or one of the above */
    int32_t from, cell; /* the hop that leads here, and the cell that moves along it */
    int64_t distance;
};

struct repair {
    const struct caucus_cell_graph *graph;
    int32_t *node_of_cell;
    struct node *node;
    struct links {
        int32_t before, next;
    } *links;               /* of cells in the lists of their nodes */
    int64_t *tied;          /* [nodes] what ties the cell at work to each; all 0 between cells */
    int32_t *seen, *heap;   /* [nodes] nodes that the search has met; those not settled */
    int32_t met, unsettled; /* how many these are */
};

static void list_add(struct repair *repair, int32_t node, int32_t cell) {
    int32_t head = repair->node[node].first;
    repair->node_of_cell[cell] = node;
    repair->links[cell] = (struct links){-1, head};
    if (head >= 0)
        repair->links[head].before = cell;
    repair->node[node].first = cell;
    repair->node[node].surplus++;
}

static void move_cell(struct repair *repair, int32_t cell, int32_t to) {
    struct node *node = &repair->node[repair->node_of_cell[cell]];
    struct links links = repair->links[cell];
    if (links.before >= 0)
        repair->links[links.before].next = links.next;
    else
        node->first = links.next;
    if (links.next >= 0)
        repair->links[links.next].before = links.before;
    node->surplus--;
    list_add(repair, to, cell);
}

/* The weight that ties a cell to a node. */
static int64_t tie(const struct repair *repair, int32_t cell, int32_t node) {
    struct caucus_cell_links links = caucus_links_of_cell(repair->graph, cell);
    int64_t weight = 0;
    for (int link = 0; link < links.count; link++)
        weight += repair->node_of_cell[links.to[link]] == node ? links.weight[link] : 0;
    return weight;
}

static bool nearer(const struct repair *repair, int32_t a, int32_t b) {
    int64_t difference = repair->node[a].distance - repair->node[b].distance;
    return difference < 0 || (difference == 0 && a < b);
}

static void heap_set(struct repair *repair, int32_t place, int32_t node) {
    repair->heap[place] = node;
    repair->node[node].place = place;
}

static int32_t heap_pop(struct repair *repair) {
    int32_t top = repair->heap[0], last = repair->heap[--repair->unsettled], place = 0;
    for (int32_t child; (child = 2 * place + 1) < repair->unsettled; place = child) {
        const int32_t *pair = repair->heap + child;
        child += child + 1 < repair->unsettled && nearer(repair, pair[1], pair[0]);
        if (!nearer(repair, repair->heap[child], last))
            break;
        heap_set(repair, place, repair->heap[child]);
    }
    heap_set(repair, place, last);
    repair->node[top].place = SETTLED;
    return top;
}

static void reach(struct repair *repair, int32_t at, int64_t distance, int32_t from, int32_t cell) {
    struct node *node = &repair->node[at];
    int32_t place = node->place;
    if (place == UNSEEN)
        repair->seen[repair->met++] = at;
    else if (node->distance <= distance)
        return;
    node->distance = distance;
    node->from = from;
    node->cell = cell;
    for (place = place < 0 ? repair->unsettled++ : place;
         place > 0 && nearer(repair, at, repair->heap[(place - 1) / 2]); place = (place - 1) / 2)
        heap_set(repair, place, repair->heap[(place - 1) / 2]);
    heap_set(repair, place, at);
}

/* All that one cell can reach, in two passes: cells may have links to half of all others. */
static void look_from(struct repair *repair, int32_t node, int32_t cell) {
    struct caucus_cell_links links = caucus_links_of_cell(repair->graph, cell);
    int64_t *tied = repair->tied;
    for (int link = 0; link < links.count; link++) {
        int32_t at = repair->node_of_cell[links.to[link]];
        if (at >= 0)
            tied[at] += links.weight[link];
    }
    int64_t held = tied[node];
    for (int link = 0; link < links.count; link++) {
        int32_t other = repair->node_of_cell[links.to[link]];
        if (other < 0)
            continue;
        int64_t growth = held - tied[other];
        tied[other] = 0; /* a second link there finds it reached */
        if (other != node && repair->node[other].place != SETTLED)
            reach(repair, other, repair->node[node].distance + (growth > 0 ? growth : 0) + HOP_COST,
                  node, cell);
    }
}

static void look_around(struct repair *repair, int32_t node) {
    for (int32_t cell = repair->node[node].first; cell >= 0; cell = repair->links[cell].next)
        look_from(repair, node, cell);
}

/* The nearest node with too few cells; -1 if none can be reached. */
static int32_t search(struct repair *repair, int32_t start) {
    while (repair->met > 0)
        repair->node[repair->seen[--repair->met]].place = UNSEEN;
    repair->unsettled = 0;
    reach(repair, start, 0, -1, -1);
    while (repair->unsettled > 0) {
        int32_t node = heap_pop(repair);
        if (repair->node[node].surplus < 0)
            return node;
        look_around(repair, node);
    }
    return -1;
}

static int32_t loosest_cell(const struct repair *repair, int32_t node) {
    int32_t loosest = repair->node[node].first;
    int64_t least = tie(repair, loosest, node);
    for (int32_t cell = repair->links[loosest].next; cell >= 0; cell = repair->links[cell].next) {
        int64_t weight = tie(repair, cell, node);
        if (weight < least) {
            least = weight;
            loosest = cell;
        }
    }
    return loosest;
}

static void repair_sizes(struct repair *repair, int32_t nodes) {
    int32_t lacking = 0;
    for (int32_t node = 0; node < nodes; node++)
        while (repair->node[node].surplus > 0) {
            int32_t at = search(repair, node);
            for (; at >= 0 && at != node; at = repair->node[at].from)
                move_cell(repair, repair->node[at].cell, at);
            if (at >= 0)
                continue;
            while (repair->node[lacking].surplus >= 0)
                lacking++;
            move_cell(repair, loosest_cell(repair, node), lacking);
        }
}

int caucus_grid_repair(const struct caucus_cell_graph *graph, const struct caucus_nodes *nodes,
                       int32_t *node_of_cell) {
    struct repair repair = {.graph = graph, .node_of_cell = node_of_cell};
    repair.node = caucus_array(nodes->count, sizeof *repair.node);
    repair.links = caucus_array(graph->cells, sizeof *repair.links);
    repair.seen = caucus_array(2 * (int64_t)nodes->count, sizeof *repair.seen);
    repair.tied = caucus_array(nodes->count, sizeof *repair.tied);
    bool enough = repair.node && repair.links && repair.seen && repair.tied;
    if (enough) {
        repair.heap = repair.seen + nodes->count;
        for (int32_t node = 0; node < nodes->count; node++)
            repair.node[node] = (struct node){
                .surplus = -caucus_nodes_size(nodes, node), .first = -1, .place = UNSEEN};
        for (int64_t cell = graph->cells - 1; cell >= 0; cell--)
            list_add(&repair, node_of_cell[cell], (int32_t)cell);
        repair_sizes(&repair, nodes->count);
    }
    free(repair.node);
    free(repair.links);
    free(repair.seen);
    free(repair.tied);
    return enough ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}
