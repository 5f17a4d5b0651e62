/* SPDX-License-Identifier: BSD-3-Clause */
/* The rank of every cell: each node's cells are placed on its ranks (plan/grid/place.h). Nodes
 * whose cells are translated copies, and whose ranks lie alike, are worked out once. O(size)
 * memory, O(size) time beside one placement for each different node. */
#include "study/grid/assign.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/cluster.h"
#include "plan/grid/place.h"

#include <stdlib.h>
#include <string.h>

/* The members of each node, ascending: member[start[node]] to member[start[node + 1] - 1]. */
struct lists {
    int32_t *start, *member;
};

/* Placements found so far: for each a record of count, key (shape and labels) and outcome. */
struct memo {
    int32_t *record; /* all of them, one after the other */
    int64_t used;
    int64_t *slot; /* hash table: place of the record + 1, 0 if empty */
    uint64_t slots;
};

struct assignment {
    const struct caucus_grid *grid;
    const struct caucus_stencil *stencil;
    const struct caucus_machine *machine;
    int levels; /* below the node */
    struct lists cells, ranks;
    struct memo memo;
    int largest; /* of the nodes; the rest has room for it */
    int64_t *cell, *cell_of_local;
    int32_t *coordinate, *number;
};

static int list_by_node(int64_t count, const int32_t *node_of, int32_t nodes, struct lists *lists) {
    lists->start = caucus_array((int64_t)nodes + 2, sizeof *lists->start);
    lists->member = caucus_array(count, sizeof *lists->member);
    if (!lists->start || !lists->member)
        return CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < count; i++)
        if (node_of[i] < 0 || node_of[i] >= nodes)
            return caucus_fail(CAUCUS_INTERNAL, "node %d of %d", node_of[i], nodes);
    caucus_list_by(count, node_of, nodes, lists->start, lists->member);
    return CAUCUS_OK;
}

/* Numbers a level's parts within the node by first appearance; returns how many there are. */
static int32_t write_labels(const struct assignment *assignment, int level, int count,
                            const int32_t *ranks, int32_t *label) {
    const int32_t *part_of_rank = assignment->machine->part_of_rank[CAUCUS_LEVEL_PACKAGE + level];
    int32_t parts = 0;
    for (int i = 0; i < count; i++) {
        int32_t known = 0;
        while (known < parts && assignment->number[known] != part_of_rank[ranks[i]])
            known++;
        if (known == parts)
            assignment->number[parts++] = part_of_rank[ranks[i]];
        label[i] = known;
    }
    return parts;
}

/* Writes the shape of a node's cells, which stand in assignment->cell. */
static int write_shape(const struct assignment *assignment, int count, int32_t *shape) {
    const struct caucus_grid *grid = assignment->grid;
    int status = caucus_shape_coordinates(grid, count, assignment->cell, assignment->coordinate);
    for (int i = 0; i < count && !status; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        for (int axis = 0; axis < grid->ndims; axis++)
            at[axis] = assignment->coordinate[axis * (int64_t)count + i];
        shape[i] = (int32_t)caucus_grid_cell(grid, at);
    }
    return status;
}

/* The slot of an equal key, or the empty one where it belongs. */
static int64_t *find_slot(const struct memo *memo, const int32_t *key, int64_t length) {
    uint64_t hash =
        0xcbf29ce484222325u; /* the FNV-1a hash of Fowler, Noll and Vo, by 32-bit words */
    for (int64_t i = 0; i < length; i++)
        hash = (hash ^ (uint32_t)key[i]) * 0x100000001b3u;
    for (uint64_t at = (hash ^ (hash >> 32)) & (memo->slots - 1);;
         at = (at + 1) & (memo->slots - 1)) {
        int64_t place = memo->slot[at];
        if (place == 0 ||
            (memo->record[place - 1] == key[0] &&
             memcmp(&memo->record[place - 1], key, (size_t)length * sizeof *key) == 0))
            return &memo->slot[at];
    }
}

/* Places the cells of a shape that is new; outcome[j] is the position of local rank j's cell. */
static int place_shape(const struct assignment *assignment, int count, const int32_t *labels,
                       bool keep_first, int32_t *outcome) {
    const int32_t *part_of_local[CAUCUS_LEVELS];
    double before[CAUCUS_LEVELS], after[CAUCUS_LEVELS];
    for (int level = 0; level < assignment->levels; level++)
        part_of_local[level] = labels + level * (int64_t)count;
    int status = caucus_grid_place(assignment->grid, assignment->stencil, count, assignment->cell,
                                   assignment->levels, part_of_local, keep_first,
                                   assignment->cell_of_local, before, after);
    for (int i = 0; i < count && !status; i++)
        outcome[i] = caucus_shape_position(count, assignment->cell, assignment->cell_of_local[i]);
    return status;
}

static int assign_node(struct assignment *assignment, int32_t node, int32_t *rank_of_cell) {
    const int32_t *cells = assignment->cells.member + assignment->cells.start[node];
    const int32_t *ranks = assignment->ranks.member + assignment->ranks.start[node];
    int count = assignment->cells.start[node + 1] - assignment->cells.start[node];
    struct memo *memo = &assignment->memo;
    int32_t *key = memo->record + memo->used; /* count, labels, shape; then the outcome */
    int64_t length = 1 + (int64_t)count * (assignment->levels + 1);
    bool keep_first = ranks[0] == 0 && cells[0] == 0;
    int32_t parts = 1;
    key[0] = 2 * count + keep_first;
    for (int level = 0; level < assignment->levels; level++)
        parts = write_labels(assignment, level, count, ranks, key + 1 + level * (int64_t)count);
    if (parts == 1) { /* nothing to be gained */
        for (int i = 0; i < count; i++)
            rank_of_cell[cells[i]] = ranks[i];
        return CAUCUS_OK;
    }
    for (int i = 0; i < count; i++)
        assignment->cell[i] = cells[i];
    int status = write_shape(assignment, count, key + length - count);
    if (status)
        return status;
    int64_t *slot = find_slot(memo, key, length);
    if (*slot == 0) {
        status = place_shape(assignment, count, key + 1, keep_first, key + length);
        if (status)
            return status;
        *slot = memo->used + 1;
        memo->used += length + count;
    }
    const int32_t *outcome = &memo->record[*slot - 1] + length;
    for (int i = 0; i < count; i++)
        rank_of_cell[cells[outcome[i]]] = ranks[i];
    return CAUCUS_OK;
}

/* Lists cells and ranks by node, and checks that they agree. */
static int list_all(struct assignment *assignment, const int32_t *node_of_cell) {
    const struct caucus_machine *machine = assignment->machine;
    int32_t nodes = machine->parts[CAUCUS_LEVEL_NODE];
    if (machine->ranks != assignment->grid->size)
        return caucus_fail(CAUCUS_BAD_DIMS, "the grid has %lld cells, the machine %lld ranks",
                           (long long)assignment->grid->size, (long long)machine->ranks);
    int status = list_by_node(machine->ranks, node_of_cell, nodes, &assignment->cells);
    if (!status)
        status = list_by_node(machine->ranks, machine->part_of_rank[CAUCUS_LEVEL_NODE], nodes,
                              &assignment->ranks);
    for (int32_t node = 0; node < nodes && !status; node++) {
        int32_t cells = assignment->cells.start[node + 1] - assignment->cells.start[node];
        int32_t ranks = assignment->ranks.start[node + 1] - assignment->ranks.start[node];
        if (cells != ranks)
            status = caucus_fail(CAUCUS_INTERNAL, "node %d has %d cells for %d ranks", node, cells,
                                 ranks);
        assignment->largest = cells > assignment->largest ? cells : assignment->largest;
    }
    return status;
}

static int allocate(struct assignment *assignment) {
    int32_t nodes = assignment->machine->parts[CAUCUS_LEVEL_NODE];
    int64_t largest = assignment->largest;
    struct memo *memo = &assignment->memo;
    for (memo->slots = 2; memo->slots < 2 * (uint64_t)nodes; memo->slots *= 2)
        ;
    memo->slot = caucus_array((int64_t)memo->slots, sizeof *memo->slot);
    memo->record = caucus_array(nodes + assignment->grid->size * (assignment->levels + 2),
                                sizeof *memo->record);
    assignment->cell = caucus_array(2 * largest, sizeof *assignment->cell);
    assignment->number =
        caucus_array(largest * (assignment->grid->ndims + 1), sizeof *assignment->number);
    if (!memo->slot || !memo->record || !assignment->cell || !assignment->number)
        return CAUCUS_NO_MEMORY;
    assignment->cell_of_local = assignment->cell + largest;
    assignment->coordinate = assignment->number + largest;
    return CAUCUS_OK;
}

int caucus_grid_assign(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                       const struct caucus_machine *machine, const int32_t *node_of_cell,
                       int32_t *rank_of_cell) {
    struct assignment assignment = {
        .grid = grid, .stencil = stencil, .machine = machine, .levels = machine->levels - 1};
    int status = list_all(&assignment, node_of_cell);
    if (!status)
        status = allocate(&assignment);
    for (int32_t node = 0; node < machine->parts[CAUCUS_LEVEL_NODE] && !status; node++)
        status = assign_node(&assignment, node, rank_of_cell);
    free(assignment.cells.start);
    free(assignment.cells.member);
    free(assignment.ranks.start);
    free(assignment.ranks.member);
    free(assignment.memo.slot);
    free(assignment.memo.record);
    free(assignment.cell);
    free(assignment.number);
    return status;
}
