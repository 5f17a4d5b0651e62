/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/graph/leaders.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int make_room(struct caucus_leaders *leaders, const struct caucus_graph *graph) {
    int64_t count = leaders->count, edges = graph->start[graph->vertices];
    leaders->leader = caucus_array(count, sizeof *leaders->leader);
    leaders->role = caucus_array(graph->vertices, sizeof *leaders->role);
    leaders->first = caucus_array(count + 2, sizeof *leaders->first);
    leaders->start = caucus_array(graph->vertices + count, sizeof *leaders->start);
    leaders->to = caucus_array(edges, sizeof *leaders->to);
    leaders->weight = caucus_array(edges, sizeof *leaders->weight);
    return leaders->leader && leaders->role && leaders->first && leaders->start && leaders->to &&
                   leaders->weight
               ? CAUCUS_OK
               : CAUCUS_NO_MEMORY;
}

/* Gives every leader the edges of its ranks, as it would have gathered them. */
static int begin(struct caucus_leaders *leaders, const struct caucus_graph *graph,
                 const struct caucus_nodes *nodes, const int32_t *node_of_rank) {
    int64_t at = 0;
    int status = CAUCUS_OK;
    caucus_list_by(graph->vertices, node_of_rank, nodes->count, leaders->first, leaders->role);
    for (int32_t node = 0; node < nodes->count && !status; node++) {
        int32_t first = leaders->first[node], count = leaders->first[node + 1] - first;
        int64_t *start = leaders->start + first + node, begin = at;
        for (int32_t i = 0; i < count; i++) {
            int32_t role = leaders->role[first + i];
            for (int64_t k = graph->start[role]; k < graph->start[role + 1]; k++) {
                leaders->to[at] = graph->to[k];
                leaders->weight[at++] = graph->weight ? graph->weight[k] : 1;
            }
            start[i + 1] = at - begin;
        }
        const struct caucus_own_edges own = {count, leaders->role + first, start,
                                             leaders->to + begin, leaders->weight + begin};
        status = caucus_leader_init(&leaders->leader[node], nodes, node, graph->vertices, &own);
    }
    return status;
}

/* What all have sent, by who it is for. */
static int deliver(struct caucus_leaders *leaders, const struct caucus_letters *sent,
                   struct caucus_letters *received) {
    int32_t count = leaders->count;
    int status = CAUCUS_OK;
    for (int32_t to = 0; to < count && !status; to++) {
        int64_t *start = received[to].start;
        for (int32_t from = 0; from < count; from++)
            start[from + 1] = start[from] + sent[from].start[to + 1] - sent[from].start[to];
        free(received[to].number);
        received[to].number = caucus_array(start[count], sizeof *received[to].number);
        if (!received[to].number)
            status = CAUCUS_NO_MEMORY;
        for (int32_t from = 0; from < count && !status; from++)
            if (start[from + 1] > start[from])
                memcpy(received[to].number + start[from], sent[from].number + sent[from].start[to],
                       (size_t)(start[from + 1] - start[from]) * sizeof(int64_t));
        leaders->numbers += start[count];
        leaders->most = start[count] > leaders->most ? start[count] : leaders->most;
    }
    return status;
}

/* One step of all. */
static int go_on(struct caucus_leaders *leaders, struct caucus_letters *sent,
                 struct caucus_letters *received) {
    int64_t total[CAUCUS_LEADER_SUMS] = {0};
    int status = CAUCUS_OK;
    for (int32_t i = 0; i < leaders->count && !status; i++) {
        caucus_letters_free(&sent[i]);
        status = caucus_letters_init(&sent[i], leaders->count);
        if (!status)
            status = caucus_leader_step(&leaders->leader[i], &received[i], &sent[i]);
        if (!status)
            status = caucus_letters_close(&sent[i]);
        for (int sum = 0; sum < CAUCUS_LEADER_SUMS && !status; sum++)
            total[sum] += leaders->leader[i].sum[sum];
        if (!status && sent[i].start[leaders->count] > leaders->most)
            leaders->most = sent[i].start[leaders->count];
    }
    for (int32_t i = 0; i < leaders->count && !status; i++)
        memcpy(leaders->leader[i].total, total, sizeof total);
    leaders->steps++;
    return status ? status : deliver(leaders, sent, received);
}

int caucus_leaders_play(const struct caucus_graph *graph, const struct caucus_nodes *nodes,
                        const int32_t *node_of_rank, struct caucus_leaders *leaders) {
    int32_t count = nodes->count;
    *leaders = (struct caucus_leaders){.count = count};
    struct caucus_letters *letters = caucus_array(2 * (int64_t)count, sizeof *letters);
    int status = make_room(leaders, graph);
    if (!letters)
        status = CAUCUS_NO_MEMORY;
    if (!status)
        status = begin(leaders, graph, nodes, node_of_rank);
    for (int32_t i = 0; i < count && !status; i++)
        status = caucus_letters_init(&letters[count + i], count);
    while (!status && !leaders->leader[0].done)
        status = go_on(leaders, letters, letters + count);
    for (int32_t i = 0; i < 2 * count && letters; i++)
        caucus_letters_free(&letters[i]);
    free(letters);
    return status;
}

void caucus_leaders_free(struct caucus_leaders *leaders) {
    for (int32_t i = 0; i < leaders->count && leaders->leader; i++)
        caucus_leader_free(&leaders->leader[i]);
    free(leaders->leader);
    free(leaders->role);
    free(leaders->first);
    free(leaders->start);
    free(leaders->to);
    free(leaders->weight);
    memset(leaders, 0, sizeof *leaders);
}

void caucus_leaders_nodes(const struct caucus_leaders *leaders, int32_t *node_of_role) {
    for (int32_t node = 0; node < leaders->count; node++) {
        const struct caucus_leader *leader = &leaders->leader[node];
        const struct caucus_held *held = leader->held.role ? &leader->held : &leader->home;
        for (int32_t i = 0; i < held->count; i++)
            node_of_role[held->role[i]] = node;
    }
}
