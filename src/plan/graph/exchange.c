/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchange between two parts (B. W. Kernighan, S. Lin, "An Efficient Heuristic Procedure for
 * Partitioning Graphs", Bell System Technical Journal, 1970), with a heap of gains for either side
 * (C. M. Fiduccia, R. M. Mattheyses, "A Linear-Time Heuristic for Improving Network Partitions",
 * 19th Design Automation Conference, 1982):
 *
 *     the vertex of a that gains most goes to b, then the one of b that gains most then to a,
 *     each once, also where that loses; what came after the best moment is taken back
 *
 * Vertices move in twos, one each way, so that sizes stay as they are. */
#include "plan/graph/exchange.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 50, MOST_PASSES = 12 }; /* exchanges without a new best, passes over all pairs */

int caucus_exchange_init(struct caucus_exchange *exchange, const struct caucus_ties *ties,
                         int32_t *part) {
    int64_t vertices = ties->vertices;
    *exchange = (struct caucus_exchange){.ties = ties, .part = part};
    exchange->member = caucus_array(6 * vertices, sizeof *exchange->member);
    exchange->gain = caucus_array(vertices, sizeof *exchange->gain);
    if (!exchange->member || !exchange->gain)
        return CAUCUS_NO_MEMORY;
    exchange->place = exchange->member + vertices;
    exchange->moved = exchange->place + vertices;
    exchange->in_heap = exchange->moved + vertices;
    for (int side = 0; side < 2; side++)
        exchange->heap[side] =
            (struct caucus_heap){.vertex = exchange->in_heap + (1 + side) * vertices,
                                 .place = exchange->in_heap,
                                 .gain = exchange->gain};
    for (int32_t vertex = 0; vertex < ties->vertices; vertex++) {
        exchange->member[vertex] = exchange->place[vertex] = vertex;
        exchange->in_heap[vertex] = -1;
    }
    return CAUCUS_OK;
}

void caucus_exchange_free(struct caucus_exchange *exchange) {
    free(exchange->member);
    free(exchange->gain);
    memset(exchange, 0, sizeof *exchange);
}

/* All of one part into its heap, with what the cut falls by where each goes to the other part. */
static void fill(struct caucus_exchange *exchange, int side, struct caucus_members members,
                 int32_t other) {
    const struct caucus_ties *ties = exchange->ties;
    for (int32_t i = members.first; i < members.first + members.count; i++) {
        int32_t vertex = exchange->member[i];
        int64_t gain = 0;
        for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++) {
            int32_t part = exchange->part[ties->to[k]];
            gain += part == other ? ties->weight[k] : 0;
            gain -= part == exchange->part[vertex] ? ties->weight[k] : 0;
        }
        exchange->gain[vertex] = gain;
        caucus_heap_set(&exchange->heap[side], vertex);
    }
}

/* Moves the vertex on top of a heap to the other part, number to; returns what that gains. */
static int64_t move(struct caucus_exchange *exchange, int side, int32_t to, int32_t *vertex) {
    const struct caucus_ties *ties = exchange->ties;
    *vertex = caucus_heap_pop(&exchange->heap[side]);
    exchange->part[*vertex] = to;
    for (int64_t k = ties->start[*vertex]; k < ties->start[*vertex + 1]; k++) {
        int32_t other = ties->to[k];
        if (exchange->in_heap[other] < 0)
            continue;
        int its_side = exchange->part[other] == to ? 1 - side : side;
        exchange->gain[other] += its_side == side ? 2 * ties->weight[k] : -2 * ties->weight[k];
        caucus_heap_set(&exchange->heap[its_side], other);
    }
    return exchange->gain[*vertex];
}

/* Two vertices take each other's places in the list. */
static void swap_places(struct caucus_exchange *exchange, int32_t a, int32_t b) {
    int32_t place = exchange->place[a];
    exchange->place[a] = exchange->place[b];
    exchange->place[b] = place;
    exchange->member[exchange->place[a]] = a;
    exchange->member[exchange->place[b]] = b;
}

int64_t caucus_exchange_pair(struct caucus_exchange *exchange, struct caucus_members a,
                             struct caucus_members b) {
    int32_t part_a = exchange->part[exchange->member[a.first]];
    int32_t part_b = exchange->part[exchange->member[b.first]];
    int32_t most = a.count < b.count ? a.count : b.count, made = 0, kept = 0;
    int32_t *moved = exchange->moved; /* in twos: from a, from b */
    int64_t gain = 0, best = 0;
    fill(exchange, 0, a, part_b);
    fill(exchange, 1, b, part_a);
    for (; made < most && made - kept < PATIENCE; made++) {
        gain += move(exchange, 0, part_b, &moved[2 * made]);
        gain += move(exchange, 1, part_a, &moved[2 * made + 1]);
        if (gain > best) {
            best = gain;
            kept = made + 1;
        }
    }
    for (int32_t i = 0; i < made; i++) {
        if (i < kept) {
            swap_places(exchange, moved[2 * i], moved[2 * i + 1]);
            continue;
        }
        exchange->part[moved[2 * i]] = part_a;
        exchange->part[moved[2 * i + 1]] = part_b;
    }
    caucus_heap_empty(&exchange->heap[0]);
    caucus_heap_empty(&exchange->heap[1]);
    return best;
}

/* What a search over all pairs of parts knows. */
struct search {
    struct caucus_exchange exchange;
    int32_t parts;
    int32_t *start;   /* [parts + 2] of the members of each */
    int32_t *changed; /* [parts] the last pass in which each changed */
    int32_t *seen;    /* [parts] the last part that each was found to be a neighbour of */
    int32_t *around;  /* [parts] these neighbours */
    int64_t visits;   /* of ties, that it may still make */
};

int64_t caucus_exchange_visits(const struct caucus_ties *ties) {
    enum { FOR_ALL = 100000000, FOR_EACH = 1000 };
    return FOR_ALL + FOR_EACH * (int64_t)ties->vertices;
}

static struct caucus_members members_of(const struct search *search, int32_t part) {
    return (struct caucus_members){search->start[part],
                                   search->start[part + 1] - search->start[part]};
}

static int64_t ties_of(const struct search *search, int32_t part) {
    const struct caucus_ties *ties = search->exchange.ties;
    int64_t count = 0;
    for (int32_t i = search->start[part]; i < search->start[part + 1]; i++) {
        int32_t vertex = search->exchange.member[i];
        count += ties->start[vertex + 1] - ties->start[vertex];
    }
    return count;
}

/* The neighbours of a part that have a higher number. */
static int32_t look_around(struct search *search, int32_t part) {
    const struct caucus_ties *ties = search->exchange.ties;
    int32_t count = 0;
    for (int32_t i = search->start[part]; i < search->start[part + 1]; i++) {
        int32_t vertex = search->exchange.member[i];
        for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++) {
            int32_t other = search->exchange.part[ties->to[k]];
            if (other > part && search->seen[other] != part) {
                search->seen[other] = part;
                search->around[count++] = other;
            }
        }
    }
    return count;
}

/* Pairs of which neither has changed since they were looked at are left out. */
static bool pass_over(struct search *search, int32_t pass) {
    bool any = false;
    for (int32_t part = 0; part < search->parts; part++)
        search->seen[part] = -1;
    for (int32_t part = 0; part < search->parts; part++) {
        int32_t neighbors = look_around(search, part);
        for (int32_t i = 0; i < neighbors; i++) {
            int32_t other = search->around[i];
            if (search->changed[part] < pass - 1 && search->changed[other] < pass - 1)
                continue;
            search->visits -= ties_of(search, part) + ties_of(search, other);
            if (search->visits < 0)
                return false;
            if (caucus_exchange_pair(&search->exchange, members_of(search, part),
                                     members_of(search, other)) > 0) {
                search->changed[part] = search->changed[other] = pass;
                any = true;
            }
        }
    }
    return any;
}

int caucus_exchange_all(const struct caucus_ties *ties, int32_t parts, int32_t *part_of_vertex,
                        int64_t *visits) {
    const int64_t most = *visits / 4;
    struct search search = {.parts = parts, .visits = most};
    int status = caucus_exchange_init(&search.exchange, ties, part_of_vertex);
    search.start = caucus_array(4 * ((int64_t)parts + 2), sizeof *search.start);
    if (!status && !search.start)
        status = CAUCUS_NO_MEMORY;
    if (!status) {
        search.changed = search.start + parts + 2;
        search.seen = search.changed + parts + 2;
        search.around = search.seen + parts + 2;
        caucus_list_by(ties->vertices, part_of_vertex, parts, search.start, search.exchange.member);
        for (int32_t i = 0; i < ties->vertices; i++)
            search.exchange.place[search.exchange.member[i]] = i;
        for (int32_t pass = 1; pass <= MOST_PASSES && pass_over(&search, pass); pass++)
            continue;
    }
    *visits -= most - search.visits;
    caucus_exchange_free(&search.exchange);
    free(search.start);
    return status;
}
