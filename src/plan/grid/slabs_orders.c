/* SPDX-License-Identifier: BSD-3-Clause */
/* The orders worth trying: of axes (all where there are few; else every pair of last axes), and of
 * nodes (all where few differ; else by descending size, and as given where there are few). */
#include "plan/grid/slabs_orders.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/permutation.h"

#include <stdlib.h>
#include <string.h>

/* NODE_ORDERS: for up to three axes */
enum { ALL_ORDERS_UP_TO = 5, NODE_ORDERS = 24, NODE_ORDERS_MANY_AXES = 6 };

static void swap(int *a, int *b) {
    int other = *a;
    *a = *b;
    *b = other;
}

void caucus_slabs_axis_orders_start(struct slabs_axis_orders *orders,
                                    const struct caucus_grid *grid) {
    memset(orders, 0, sizeof *orders);
    for (int axis = 0; axis < grid->ndims; axis++)
        if (grid->dims[axis] > 1)
            orders->first[orders->count++] = axis;
    /* by ascending size, so that the longest is last */
    for (int i = 1; i < orders->count; i++)
        for (int j = i; j > 0; j--)
            if (grid->dims[orders->first[j - 1]] > grid->dims[orders->first[j]])
                swap(&orders->first[j - 1], &orders->first[j]);
    for (int place = 0; place < orders->count; place++)
        orders->place[place] = place;
}

/* Every ordered pair of last axes; the others stay in their order. */
static bool next_pair(struct slabs_axis_orders *orders, int *place) {
    int count = orders->count, pairs = count * (count - 1);
    if (orders->tried >= pairs)
        return false;
    int last = count - 1 - orders->tried / (count - 1), before = orders->tried % (count - 1);
    before += before >= last;
    int found = 0;
    for (int other = 0; other < count; other++)
        if (other != last && other != before)
            place[found++] = other;
    place[found++] = before;
    place[found] = last;
    return true;
}

bool caucus_slabs_axis_orders_next(struct slabs_axis_orders *orders, int *axis) {
    int place[CAUCUS_GRID_MAX_DIMS];
    if (orders->count > ALL_ORDERS_UP_TO) {
        if (!next_pair(orders, place))
            return false;
    } else {
        if (orders->tried > 0 && !caucus_permutation_next(orders->count, orders->place))
            return false;
        memcpy(place, orders->place, sizeof place);
    }
    orders->tried++;
    for (int i = 0; i < orders->count; i++)
        axis[i] = orders->first[place[i]];
    return true;
}

struct sized_node {
    int32_t size, node;
};

static int by_descending_size(const void *a, const void *b) {
    const struct sized_node *left = a, *right = b;
    if (left->size != right->size)
        return left->size > right->size ? -1 : 1;
    return left->node < right->node ? -1 : 1;
}

/* How many distinct sequences of sizes there are, or more than NODE_ORDERS. */
static int count_sequences(const int *class, int32_t count) {
    if (count > NODE_ORDERS)
        return NODE_ORDERS + 1;
    int64_t sequences = 1;
    for (int32_t i = 1, same = 1; i < count && sequences <= NODE_ORDERS * NODE_ORDERS; i++) {
        same = class[i] == class[i - 1] ? same + 1 : 1;
        sequences = sequences * (i + 1) / same;
    }
    return sequences > NODE_ORDERS ? NODE_ORDERS + 1 : (int)sequences;
}

int caucus_slabs_node_orders_start(struct slabs_node_orders *orders,
                                   const struct caucus_nodes *nodes, int axes) {
    memset(orders, 0, sizeof *orders);
    orders->count = nodes->count;
    if (nodes->equal)
        return CAUCUS_OK;
    struct sized_node *sorted = caucus_array(nodes->count, sizeof *sorted);
    orders->descending = caucus_array(nodes->count, sizeof *orders->descending);
    orders->class = caucus_array(nodes->count, sizeof *orders->class);
    orders->node_at = caucus_array(nodes->count, sizeof *orders->node_at);
    if (!sorted || !orders->descending || !orders->class || !orders->node_at) {
        free(sorted);
        caucus_slabs_node_orders_end(orders);
        return CAUCUS_NO_MEMORY;
    }
    for (int32_t node = 0; node < nodes->count; node++)
        sorted[node] = (struct sized_node){nodes->size[node], node};
    qsort(sorted, (size_t)nodes->count, sizeof *sorted, by_descending_size);
    orders->sorted = true;
    for (int32_t place = 0; place < nodes->count; place++) {
        orders->descending[place] = sorted[place].node;
        orders->sorted = orders->sorted && sorted[place].node == place;
        if (place > 0)
            orders->class[place] =
                orders->class[place - 1] + (sorted[place].size != sorted[place - 1].size);
    }
    free(sorted);
    orders->all = count_sequences(orders->class, nodes->count) <=
                  (axes > 3 ? NODE_ORDERS_MANY_AXES : NODE_ORDERS);
    return CAUCUS_OK;
}

/* Nodes of one size keep their order. */
static void place_classes(struct slabs_node_orders *orders) {
    for (int32_t place = 0; place < orders->count; place++) {
        int32_t same = 0, first = 0;
        for (int32_t before = 0; before < place; before++)
            same += orders->class[before] == orders->class[place];
        for (int32_t other = 0; other < orders->count; other++)
            first += orders->class[other] < orders->class[place];
        orders->node_at[place] = orders->descending[first + same];
    }
}

bool caucus_slabs_node_orders_next(struct slabs_node_orders *orders, const int32_t **node_at) {
    *node_at = NULL;
    int tried = orders->tried++;
    if (!orders->descending || orders->count < 2)
        return tried == 0;
    if (orders->all) {
        if (tried > 0 && !caucus_permutation_next(orders->count, orders->class))
            return false;
        place_classes(orders);
        *node_at = orders->node_at;
        return true;
    }
    if (tried == 0 && !orders->sorted)
        *node_at = orders->descending;
    return tried == 0 || (tried == 1 && !orders->sorted && orders->count < SLABS_FEW_NODES);
}

void caucus_slabs_node_orders_end(struct slabs_node_orders *orders) {
    free(orders->descending);
    free(orders->class);
    free(orders->node_at);
    memset(orders, 0, sizeof *orders);
}
