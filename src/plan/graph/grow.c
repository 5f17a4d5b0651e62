/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive bisection. One half grows from a vertex, always by the one that the cut grows least by
 * (greedy graph growing: G. Karypis, V. Kumar, "A Fast and High Quality Multilevel Scheme for
 * Partitioning Irregular Graphs", SIAM Journal on Scientific Computing, 1998, section 3.2), and
 * then exchanges vertices with the other. The best of a few starts is kept: one at the rim, found
 * by two walks over all vertices, one at the opposite rim, others taken at random. Where all that
 * can be reached is in already, the next one in the order of the walk joins. */
#include "plan/graph/grow.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/graph/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 4, MANY_TIES = 1000000 }; /* of so many, one try is enough */

struct growth {
    struct caucus_exchange exchange; /* the members of all groups, each consecutive */
    const int32_t *size;
    int32_t *order; /* [vertices] of a walk over a group's vertices */
    int32_t *best;  /* [vertices] the best division so far of the group at work, as listed */
    bool *seen;     /* [vertices] all false between walks */
    uint64_t random;
};

/* One group, and the parts that it is to be divided into. */
struct group {
    struct caucus_members members;
    int32_t first_part, parts;
};

/* Lists a group's vertices by their distance from one of them; those that cannot be reached follow
 * as they are listed. Returns the last one that was reached. */
static int32_t walk(struct growth *growth, struct caucus_members group, int32_t from) {
    const struct caucus_exchange *exchange = &growth->exchange;
    const struct caucus_ties *ties = exchange->ties;
    int32_t count = 0, at = 0, last = from, next = group.first;
    while (count < group.count) {
        while (count > 0 && next < group.first + group.count &&
               growth->seen[exchange->member[next]])
            next++;
        int32_t start = count == 0 ? from : exchange->member[next];
        growth->seen[start] = true;
        for (growth->order[count++] = start; at < count; at++) {
            int32_t vertex = growth->order[at];
            for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++) {
                int32_t other = ties->to[k];
                if (growth->seen[other] || exchange->part[other] != exchange->part[from])
                    continue;
                growth->seen[other] = true;
                growth->order[count++] = other;
            }
        }
        last = start == from ? growth->order[count - 1] : last;
    }
    for (int32_t i = 0; i < count; i++)
        growth->seen[growth->order[i]] = false;
    return last;
}

/* The vertex is in the half that grows; its neighbours in the rest may be next. */
static void join(struct growth *growth, int32_t vertex, int32_t rest, int32_t half) {
    struct caucus_exchange *exchange = &growth->exchange;
    const struct caucus_ties *ties = exchange->ties;
    exchange->part[vertex] = half;
    for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++) {
        int32_t other = ties->to[k];
        if (exchange->part[other] != rest)
            continue;
        exchange->gain[other] += 2 * ties->weight[k];
        caucus_heap_set(&exchange->heap[0], other);
    }
}

/* Takes count vertices of a group, which are of part rest and in order, into part half. */
static void grow_half(struct growth *growth, struct caucus_members group, int32_t count,
                      int32_t rest, int32_t half) {
    struct caucus_exchange *exchange = &growth->exchange;
    const struct caucus_ties *ties = exchange->ties;
    for (int32_t i = 0; i < group.count; i++) {
        int32_t vertex = growth->order[i];
        exchange->gain[vertex] = 0; /* less what ties it to the group */
        for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++)
            if (exchange->part[ties->to[k]] == rest)
                exchange->gain[vertex] -= ties->weight[k];
    }
    for (int32_t taken = 0, next = 0; taken < count; taken++) {
        if (exchange->heap[0].count > 0) {
            join(growth, caucus_heap_pop(&exchange->heap[0]), rest, half);
            continue;
        }
        while (exchange->part[growth->order[next]] != rest)
            next++;
        join(growth, growth->order[next], rest, half);
    }
    caucus_heap_empty(&exchange->heap[0]);
}

/* Lists the vertices of part half before the others of the group. */
static void list_half_first(struct growth *growth, struct caucus_members group, int32_t half) {
    struct caucus_exchange *exchange = &growth->exchange;
    int32_t front = group.first, back = group.first;
    for (int32_t i = 0; i < group.count; i++)
        back += exchange->part[growth->order[i]] == half;
    for (int32_t i = 0; i < group.count; i++) {
        int32_t vertex = growth->order[i];
        int32_t place = exchange->part[vertex] == half ? front++ : back++;
        exchange->member[place] = vertex;
        exchange->place[vertex] = place;
    }
}

/* The weight that ties the first half to the rest of its group. */
static int64_t cut_between(const struct growth *growth, struct caucus_members half, int32_t rest) {
    const struct caucus_exchange *exchange = &growth->exchange;
    const struct caucus_ties *ties = exchange->ties;
    int64_t cut = 0;
    for (int32_t i = half.first; i < half.first + half.count; i++) {
        int32_t vertex = exchange->member[i];
        for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++)
            cut += exchange->part[ties->to[k]] == rest ? ties->weight[k] : 0;
    }
    return cut;
}

/* Lets one half grow from a vertex and exchange; returns the cut. */
static int64_t try_from(struct growth *growth, const struct group *group, int32_t count,
                        int32_t half, int32_t from) {
    struct caucus_members all = group->members;
    struct caucus_members first = {all.first, count};
    struct caucus_members second = {all.first + count, all.count - count};
    for (int32_t i = all.first; i < all.first + all.count; i++)
        growth->exchange.part[growth->exchange.member[i]] = group->first_part;
    walk(growth, all, from);
    grow_half(growth, all, count, group->first_part, half);
    list_half_first(growth, all, half);
    while (caucus_exchange_pair(&growth->exchange, first, second) > 0)
        continue;
    return cut_between(growth, first, group->first_part);
}

static int32_t start_of(struct growth *growth, struct caucus_members all, int number, int32_t rim,
                        int32_t opposite) {
    if (number < 2)
        return number == 0 ? rim : opposite;
    growth->random += CAUCUS_MIX_STEP;
    return growth->exchange
        .member[all.first + (int32_t)(caucus_mix(growth->random) % (uint64_t)all.count)];
}

/* Divides a group; its second half, listed behind the first, has parts of its own from then on. */
static void bisect(struct growth *growth, const struct group *group, int32_t count, int32_t half) {
    struct caucus_exchange *exchange = &growth->exchange;
    struct caucus_members all = group->members;
    size_t bytes = (size_t)all.count * sizeof *growth->best;
    int32_t opposite = walk(growth, all, exchange->member[all.first]);
    int32_t rim = walk(growth, all, opposite);
    int64_t best = -1;
    int tries = exchange->ties->start[exchange->ties->vertices] > MANY_TIES ? 1 : TRIES;
    for (int number = 0; number < tries && best != 0; number++) {
        int32_t from = start_of(growth, all, number, rim, opposite);
        int64_t cut = try_from(growth, group, count, half, from);
        if (best >= 0 && cut >= best)
            continue;
        best = cut;
        memcpy(growth->best, exchange->member + all.first, bytes);
    }
    memcpy(exchange->member + all.first, growth->best, bytes);
    for (int32_t i = 0; i < all.count; i++) {
        exchange->place[growth->best[i]] = all.first + i;
        exchange->part[growth->best[i]] = i < count ? group->first_part : half;
    }
}

/* One half has the lower parts, the other the upper ones. */
static void divide(struct growth *growth, struct group group) {
    while (group.parts > 1) {
        int32_t lower = group.parts / 2, count = 0, half = group.first_part + lower;
        for (int32_t part = group.first_part; part < half; part++)
            count += growth->size[part];
        bisect(growth, &group, count, half);
        struct group other = {
            {group.members.first + count, group.members.count - count}, half, group.parts - lower};
        group.members.count = count;
        group.parts = lower;
        divide(growth, other);
    }
}

int caucus_graph_grow(const struct caucus_ties *ties, int32_t parts, const int32_t *size,
                      int32_t *part_of_vertex) {
    struct growth growth = {.size = size, .random = 1};
    memset(part_of_vertex, 0, (size_t)ties->vertices * sizeof *part_of_vertex);
    int status = caucus_exchange_init(&growth.exchange, ties, part_of_vertex);
    growth.order = caucus_array(2 * (int64_t)ties->vertices, sizeof *growth.order);
    growth.seen = caucus_array(ties->vertices, sizeof *growth.seen);
    if (!status && !(growth.order && growth.seen))
        status = CAUCUS_NO_MEMORY;
    if (!status) {
        growth.best = growth.order + ties->vertices;
        divide(&growth, (struct group){{0, ties->vertices}, 0, parts});
    }
    caucus_exchange_free(&growth.exchange);
    free(growth.order);
    free(growth.seen);
    return status;
}
