/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank goes through the traffic of all ranks, node by node, and keeps what its node sends and
 * receives. O(edges) time for a neighbourhood; where every rank has an entry for each other in
 * order, as in an all-to-all, O(edges of the node). */
#include "plan/collective/node_exchange.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct survey {
    struct caucus_node_exchange *exchange;
    struct caucus_builder *builder;
    const struct caucus_task *task;
    const struct caucus_blocks *sent, *received;
    int32_t *last;         /* the last rank, + 1, that was seen to send to each node */
    int32_t *places, next; /* of sources, in the order in which their blocks come up */
    int64_t begun;         /* where the block of the rank looked at begins, if it is shared */
};

struct place_of_source {
    int32_t at, place; /* at: of the source in the order of nodes */
};

static int compare_places(const void *a, const void *b) {
    const struct place_of_source *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Places by source, in the order of nodes, without the rank itself. */
static int32_t *sorted_places(struct caucus_builder *builder, const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    struct place_of_source *pairs =
        caucus_builder_array(builder, task->sources, sizeof *pairs, "sources");
    int32_t count = 0, *places = caucus_builder_array(builder, (int64_t)task->sources + 1,
                                                      sizeof *places, "sources");
    for (int32_t place = 0; pairs && places && place < task->sources; place++) {
        int32_t source = task->source[place];
        if (source != task->rank)
            pairs[count++] =
                (struct place_of_source){caucus_node_first(map, caucus_node_of_rank(map, source)) +
                                             caucus_local_of_rank(map, source),
                                         place};
    }
    if (!pairs || !places) {
        free(pairs);
        free(places);
        return NULL;
    }
    qsort(pairs, (size_t)count, sizeof *pairs, compare_places);
    for (int32_t i = 0; i < count; i++)
        places[i] = pairs[i].place;
    places[count] = -1;
    free(pairs);
    return places;
}

static void add_sent(struct survey *survey, int32_t node, int64_t at, int32_t block,
                     int64_t length) {
    int64_t user =
        caucus_task_one_block(survey->task) ? 0 : caucus_block_offset(survey->sent, block);
    caucus_node_exchange_add(&survey->exchange->sent, survey->builder,
                             (struct caucus_parcel){node, at, user, length});
}

static void add_received(struct survey *survey, int32_t source, int64_t at, int64_t length) {
    int32_t block = source, node = caucus_node_of_rank(survey->task->nodes, source);
    if (survey->places)
        block = survey->places[survey->next];
    if (block < 0 || (survey->places && survey->task->source[block] != source) ||
        caucus_block_length(survey->received, block) != length) {
        caucus_builder_fail(survey->builder, CAUCUS_BAD_ARGUMENT,
                            "rank %d sends %lld bytes to rank %d, which expects something else",
                            (int)source, (long long)length, (int)survey->task->rank);
        return;
    }
    survey->next++;
    int64_t user = caucus_block_offset(survey->received, block);
    caucus_node_exchange_add(&survey->exchange->received, survey->builder,
                             (struct caucus_parcel){node, at, user, length});
}

/* Whether a shared block has been to the node before. */
static bool again(struct survey *survey, int32_t source, int32_t node) {
    bool seen = survey->last[node] == source + 1;
    survey->last[node] = source + 1;
    return caucus_task_one_block(survey->task) && seen;
}

/* A block of source, in place of all that it sends, to or from this rank's node. */
static void look_at(struct survey *survey, int32_t source, int32_t place, int32_t destination,
                    int64_t length) {
    struct caucus_node_exchange *exchange = survey->exchange;
    const struct caucus_node_map *map = survey->task->nodes;
    int32_t from = caucus_node_of_rank(map, source), to = caucus_node_of_rank(map, destination);
    bool known = again(survey, source, to);
    int64_t added = known ? 0 : length;
    int64_t most = INT64_MAX / 2 - added;
    if (exchange->outgoing[to] > most || exchange->incoming[from] > most) {
        caucus_builder_fail(survey->builder, CAUCUS_NO_MEMORY, "a node has too many bytes");
        return;
    }
    if (from == exchange->node) {
        if (source == survey->task->rank && !known)
            add_sent(survey, to, exchange->outgoing[to],
                     caucus_task_neighborhood(survey->task) ? place : destination, length);
        exchange->outgoing[to] += added;
    }
    if (to == exchange->node) {
        if (!known)
            survey->begun = exchange->incoming[from];
        if (destination == survey->task->rank)
            add_received(survey, source, survey->begun, length);
        exchange->incoming[from] += added;
    }
}

/* Whether source's entry for every rank of this node is where it would be if it had one for each
 * rank, in order, as in an all-to-all. */
static bool in_order(const struct survey *survey, int32_t source) {
    const struct caucus_node_exchange *exchange = survey->exchange;
    const struct caucus_traffic_table *traffic = survey->task->traffic;
    int64_t first = traffic->first[source];
    if (caucus_task_neighborhood(survey->task) ||
        traffic->first[source + 1] - first != exchange->map->ranks)
        return false;
    for (int32_t i = 0; i < exchange->size; i++) {
        int32_t rank = caucus_rank_in_node(exchange->map, exchange->node, i);
        if (traffic->destination[first + rank] != rank)
            return false;
    }
    return true;
}

static void go_through_rank(struct survey *survey, int32_t source) {
    const struct caucus_node_exchange *exchange = survey->exchange;
    const struct caucus_traffic_table *traffic = survey->task->traffic;
    const struct caucus_node_map *map = exchange->map;
    bool here = caucus_node_of_rank(map, source) == exchange->node;
    int64_t first = traffic->first[source], end = traffic->first[source + 1];
    if (!here && in_order(survey, source)) {
        for (int32_t i = 0; i < exchange->size; i++) {
            int32_t rank = caucus_rank_in_node(map, exchange->node, i);
            look_at(survey, source, rank, rank, traffic->bytes[first + rank]);
        }
        return;
    }
    for (int64_t entry = first; entry < end; entry++) {
        int32_t destination = traffic->destination[entry];
        if (destination != source &&
            (here || caucus_node_of_rank(map, destination) == exchange->node))
            look_at(survey, source, (int32_t)(entry - first), destination, traffic->bytes[entry]);
    }
}

/* Of the regions of each node, by all edges: how many have bytes, and how many bytes. */
struct totals {
    int64_t *regions, *bytes;
    int32_t *met; /* the last node, + 1, that was seen to send to each node */
};

static void add_edge(struct totals *totals, int32_t from, int32_t to, int64_t length) {
    bool first = totals->met[to] != from + 1;
    totals->met[to] = from + 1;
    for (int side = 0; side < (from == to ? 1 : 2); side++) {
        int32_t node = side ? to : from;
        bool fits = length < INT64_MAX / 2 - totals->bytes[node];
        totals->bytes[node] = fits ? totals->bytes[node] + length : INT64_MAX / 2;
        totals->regions[node] += first;
    }
}

static void sum_up(struct survey *survey, struct totals *totals) {
    const struct caucus_node_map *map = survey->task->nodes;
    const struct caucus_traffic_table *traffic = survey->task->traffic;
    memset(survey->last, 0, (size_t)map->nodes * sizeof *survey->last);
    for (int32_t at = 0; at < map->ranks; at++) {
        int32_t source = caucus_rank_at(map, at), from = caucus_node_of_rank(map, source);
        for (int64_t entry = traffic->first[source]; entry < traffic->first[source + 1]; entry++) {
            int32_t to = caucus_node_of_rank(map, traffic->destination[entry]);
            if (traffic->destination[entry] != source && traffic->bytes[entry] > 0 &&
                !again(survey, source, to))
                add_edge(totals, from, to, traffic->bytes[entry]);
        }
    }
}

static int64_t largest(const int64_t *value, int32_t count) {
    int64_t most = 0;
    for (int32_t i = 0; value && i < count; i++)
        most = value[i] > most ? value[i] : most;
    return most;
}

/* The node that has most decides for all: the same on all ranks. */
static void fit_by_edges(struct survey *survey) {
    int32_t nodes = survey->task->nodes->nodes;
    struct caucus_builder *builder = survey->builder;
    struct totals totals = {
        .regions = caucus_builder_array(builder, nodes, sizeof *totals.regions, "nodes"),
        .bytes = caucus_builder_array(builder, nodes, sizeof *totals.bytes, "nodes"),
        .met = caucus_builder_array(builder, nodes, sizeof *totals.met, "nodes"),
    };
    if (!builder->status)
        sum_up(survey, &totals);
    caucus_node_exchange_fit(survey->exchange, survey->task, largest(totals.regions, nodes),
                             largest(totals.bytes, nodes));
    free(totals.regions);
    free(totals.bytes);
    free(totals.met);
}

/* Often it is enough to know how much a rank has. It has to be for an all-to-all: to go through all
 * pairs of ranks would take longer than everything else. */
static void fit(struct survey *survey) {
    const struct caucus_task *task = survey->task;
    const struct caucus_node_map *map = task->nodes;
    if (!caucus_task_one_block(survey->task) && task->volume > 0 &&
        task->volume < INT64_MAX / 4 / (int64_t)map->largest) {
        caucus_node_exchange_fit(survey->exchange, task, 2 * (int64_t)map->nodes - 1,
                                 2 * map->largest * task->volume);
        bool at_once = survey->exchange->fits && survey->exchange->window == INT64_MAX;
        if (at_once || !caucus_task_neighborhood(task))
            return;
    }
    fit_by_edges(survey);
}

void caucus_node_exchange_from_traffic(struct caucus_node_exchange *exchange,
                                       struct caucus_builder *builder,
                                       const struct caucus_task *task,
                                       const struct caucus_blocks *sent,
                                       const struct caucus_blocks *received) {
    int32_t nodes = task->nodes->nodes;
    struct survey survey = {
        .exchange = exchange,
        .builder = builder,
        .task = task,
        .sent = sent,
        .received = received,
        .last = caucus_builder_array(builder, nodes, sizeof *survey.last, "nodes"),
        .places = caucus_task_neighborhood(task) ? sorted_places(builder, task) : NULL,
    };
    for (int32_t i = 0; i < task->ranks && !builder->status; i++)
        go_through_rank(&survey, caucus_rank_at(task->nodes, i));
    if (!builder->status)
        fit(&survey);
    free(survey.last);
    free(survey.places);
}
