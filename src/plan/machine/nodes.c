/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine/nodes.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int caucus_nodes_init(struct caucus_nodes *nodes, int32_t count, const int32_t *sizes) {
    memset(nodes, 0, sizeof *nodes);
    if (count < 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "there are %d nodes: at least one is needed",
                           count);
    bool equal = true;
    for (int32_t node = 0; node < count; node++) {
        if (sizes[node] < 1)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "node %d has %d ranks: at least one is needed",
                               node, sizes[node]);
        equal = equal && sizes[node] == sizes[0];
        nodes->ranks += sizes[node];
    }
    nodes->count = count;
    if (equal) {
        nodes->equal = sizes[0];
        return CAUCUS_OK;
    }
    nodes->size = caucus_array_copy(sizes, count, sizeof *sizes);
    return nodes->size ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_nodes_free(struct caucus_nodes *nodes) {
    free(nodes->size);
    memset(nodes, 0, sizeof *nodes);
}

struct sized_node {
    int32_t size, node;
};

static int by_size_descending(const void *a, const void *b) {
    const struct sized_node *left = a, *right = b;
    if (left->size != right->size)
        return left->size > right->size ? -1 : 1;
    return left->node < right->node ? -1 : 1;
}

int32_t *caucus_nodes_by_size(const struct caucus_nodes *nodes) {
    int32_t *order = caucus_array(nodes->count, sizeof *order);
    struct sized_node *sorted = order ? caucus_array(nodes->count, sizeof *sorted) : NULL;
    if (!sorted) {
        free(order);
        return NULL;
    }
    for (int32_t node = 0; node < nodes->count; node++)
        sorted[node] = (struct sized_node){caucus_nodes_size(nodes, node), node};
    qsort(sorted, (size_t)nodes->count, sizeof *sorted, by_size_descending);
    for (int32_t i = 0; i < nodes->count; i++)
        order[i] = sorted[i].node;
    free(sorted);
    return order;
}

int caucus_nodes_take(const struct caucus_nodes *nodes, int64_t ranks, int32_t *taken) {
    if (ranks < 1 || ranks > nodes->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks wanted of %lld", (long long)ranks,
                           (long long)nodes->ranks);
    int32_t *order = caucus_nodes_by_size(nodes);
    if (!order)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < nodes->count; i++) {
        int32_t size = caucus_nodes_size(nodes, order[i]);
        taken[order[i]] = size < ranks ? size : (int32_t)ranks;
        ranks -= taken[order[i]];
    }
    free(order);
    return CAUCUS_OK;
}
