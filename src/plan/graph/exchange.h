/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of fixed sizes that exchange vertices as long as the cut falls. */
#ifndef CAUCUS_PLAN_GRAPH_EXCHANGE_H
#define CAUCUS_PLAN_GRAPH_EXCHANGE_H

#include "plan/graph/graph.h"
#include "plan/graph/heap.h"

/* Vertices listed part by part. */
struct caucus_exchange {
    const struct caucus_ties *ties;
    int32_t *part;   /* [vertices], the caller's: of each vertex */
    int32_t *member; /* [vertices] */
    int32_t *place;  /* [vertices] of each vertex in member */
    /* The rest is working memory. */
    int64_t *gain;
    int32_t *moved;
    struct caucus_heap heap[2];
    int32_t *in_heap;
};

/* Lists all vertices in their order. To be freed, also where it fails. */
int caucus_exchange_init(struct caucus_exchange *exchange, const struct caucus_ties *ties,
                         int32_t *part);
void caucus_exchange_free(struct caucus_exchange *exchange);

/* The members from a place on, of one part. */
struct caucus_members {
    int32_t first, count;
};

/* Exchanges vertices between two parts, neither of them empty, that are listed so; returns by how
 * much the cut falls, at least 0. O(ties of both * log). */
int64_t caucus_exchange_pair(struct caucus_exchange *exchange, struct caucus_members a,
                             struct caucus_members b);

/* Exchanges between all neighbouring ones of parts 0 to parts - 1, of any sizes, until that gains
 * nothing, or a quarter of the visits that are left is used up, so that there are some for later
 * searches, too: the cut never grows, the sizes stay. visits: of ties, which a plan may still make;
 * this search's are taken off. */
int caucus_exchange_all(const struct caucus_ties *ties, int32_t parts, int32_t *part_of_vertex,
                        int64_t *visits);

/* As many as a plan is worth, about a second and a bit for each vertex: graphs with many ties
 * between all parts would take minutes. */
int64_t caucus_exchange_visits(const struct caucus_ties *ties);

#endif
