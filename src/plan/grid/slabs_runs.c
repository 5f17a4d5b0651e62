/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes in the order in which they take positions, as runs of equal sizes: O(runs) memory where
 * nodes keep their order, O(nodes) where they don't; O(log runs) to find a node. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int32_t size_at(const struct caucus_nodes *nodes, const int32_t *node_at, int32_t place) {
    return caucus_nodes_size(nodes, node_at ? node_at[place] : place);
}

static int32_t count_runs(const struct caucus_nodes *nodes, const int32_t *node_at) {
    if (nodes->equal)
        return 1;
    int32_t count = 1;
    for (int32_t place = 1; place < nodes->count; place++)
        count += size_at(nodes, node_at, place) != size_at(nodes, node_at, place - 1);
    return count;
}

static void fill_runs(struct slabs_runs *runs, const struct caucus_nodes *nodes,
                      const int32_t *node_at) {
    if (nodes->equal) {
        runs->size[0] = nodes->equal;
    } else {
        int32_t run = -1, position = 0;
        for (int32_t place = 0; place < nodes->count; place++) {
            int32_t size = size_at(nodes, node_at, place);
            if (run < 0 || size != runs->size[run]) {
                run++;
                runs->size[run] = size;
                runs->start[run] = position;
                runs->first[run] = place;
            }
            position += size;
        }
    }
    runs->start[runs->count] = (int32_t)nodes->ranks;
    runs->first[runs->count] = nodes->count;
}

int caucus_slabs_runs_init(struct slabs_runs *runs, const struct caucus_nodes *nodes,
                           const int32_t *node_at) {
    memset(runs, 0, sizeof *runs);
    runs->count = count_runs(nodes, node_at);
    runs->start = caucus_array((int64_t)runs->count + 1, sizeof *runs->start);
    runs->size = caucus_array(runs->count, sizeof *runs->size);
    runs->first = caucus_array((int64_t)runs->count + 1, sizeof *runs->first);
    bool complete = runs->start && runs->size && runs->first;
    if (complete && node_at) {
        runs->node_at = caucus_array_copy(node_at, nodes->count, sizeof *node_at);
        runs->place_of = caucus_array(nodes->count, sizeof *node_at);
        complete = runs->node_at && runs->place_of;
    }
    if (!complete) {
        caucus_slabs_runs_free(runs);
        return CAUCUS_NO_MEMORY;
    }
    fill_runs(runs, nodes, node_at);
    for (int32_t place = 0; node_at && place < nodes->count; place++)
        runs->place_of[node_at[place]] = place;
    return CAUCUS_OK;
}

void caucus_slabs_runs_free(struct slabs_runs *runs) {
    free(runs->start);
    free(runs->size);
    free(runs->first);
    free(runs->node_at);
    free(runs->place_of);
    memset(runs, 0, sizeof *runs);
}

/* The last of count ascending numbers that is at most the value; the first one is. */
static int32_t last_at_most(const int32_t *numbers, int32_t count, int64_t value) {
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (numbers[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct slabs_node caucus_slabs_runs_node(const struct slabs_runs *runs, int64_t position) {
    int32_t run = last_at_most(runs->start, runs->count, position);
    int64_t within = (position - runs->start[run]) / runs->size[run];
    int64_t begin = runs->start[run] + within * runs->size[run];
    return (struct slabs_node){begin, begin + runs->size[run], run};
}

int32_t caucus_slabs_node(const struct caucus_slabs *slabs, int64_t position) {
    const struct slabs_runs *runs = &slabs->runs;
    int32_t run = last_at_most(runs->start, runs->count, position);
    int32_t place = runs->first[run] + (int32_t)(position - runs->start[run]) / runs->size[run];
    return runs->node_at ? runs->node_at[place] : place;
}

int64_t caucus_slabs_first(const struct caucus_slabs *slabs, int32_t node) {
    const struct slabs_runs *runs = &slabs->runs;
    int32_t place = runs->place_of ? runs->place_of[node] : node;
    int32_t run = last_at_most(runs->first, runs->count, place);
    return runs->start[run] + (int64_t)(place - runs->first[run]) * runs->size[run];
}
