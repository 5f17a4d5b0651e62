/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/held.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum {
    EDGE = 3,
    HEAD = 2,
    TIE = 4
}; /* numbers of an edge that is told; of a role, before its ties;
      of each tie */

void caucus_held_free(struct caucus_held *held) {
    free(held->role);
    free(held->start);
    free(held->tie);
    memset(held, 0, sizeof *held);
}

static int make_room(struct caucus_held *held, int32_t count, int64_t ties) {
    *held = (struct caucus_held){.count = count};
    held->role = caucus_array(count, sizeof *held->role);
    held->start = caucus_array((int64_t)count + 1, sizeof *held->start);
    held->tie = caucus_array(ties, sizeof *held->tie);
    return held->role && held->start && held->tie ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static int64_t weight_of(const struct caucus_own_edges *own, int64_t edge) {
    return own->weight ? own->weight[edge] : 1;
}

void caucus_held_tell(const struct caucus_own_edges *own, const struct caucus_answers *nodes,
                      struct caucus_letters *letters) {
    for (int32_t i = 0; i < own->count; i++)
        for (int64_t k = own->start[i]; k < own->start[i + 1]; k++) {
            const int64_t edge[EDGE] = {own->to[k], own->role[i], weight_of(own, k)};
            if (own->to[k] != own->role[i] && edge[2] > 0)
                caucus_letters_add(letters, caucus_answers_find(nodes, own->to[k]), EDGE, edge);
        }
}

/* A tie of the role at this place among those of the node. */
struct entry {
    int32_t index;
    struct caucus_held_tie tie;
};

static int compare_entries(const void *a, const void *b) {
    const struct entry *first = a, *second = b;
    if (first->index != second->index)
        return first->index < second->index ? -1 : 1;
    return (first->tie.to > second->tie.to) - (first->tie.to < second->tie.to);
}

static int compare_roles(const void *a, const void *b) {
    int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;
    return (first > second) - (first < second);
}

/* -1 where it is none of them. */
static int32_t place_of(int64_t role, const int32_t *roles, int32_t count) {
    int32_t key = (int32_t)role;
    const int32_t *found =
        count == 0 ? NULL : bsearch(&key, roles, (size_t)count, sizeof *roles, compare_roles);
    return found ? (int32_t)(found - roles) : -1;
}

/* Both directions, one by one; returns how many. */
static int64_t list_entries(const struct caucus_own_edges *own,
                            const struct caucus_letters *received, struct entry *entry) {
    int64_t count = 0;
    for (int32_t i = 0; i < own->count; i++)
        for (int64_t k = own->start[i]; k < own->start[i + 1]; k++) {
            int64_t weight = weight_of(own, k);
            if (own->to[k] != own->role[i])
                entry[count++] = (struct entry){i, {own->to[k], 1, weight, weight}};
        }
    for (int64_t at = 0; at < received->start[received->leaders]; at += EDGE) {
        const int64_t *edge = received->number + at;
        entry[count++] =
            (struct entry){place_of(edge[0], own->role, own->count), {edge[1], 0, 0, edge[2]}};
    }
    qsort(entry, (size_t)count, sizeof *entry, compare_entries);
    return count;
}

/* Entries of the same two roles become one tie. */
static void put_together(const struct entry *entry, int64_t count, struct caucus_held *held) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        struct caucus_held_tie *last = kept > 0 ? &held->tie[kept - 1] : NULL;
        if (i > 0 && entry[i].index == entry[i - 1].index && last->to == entry[i].tie.to) {
            last->edges += entry[i].tie.edges;
            last->out += entry[i].tie.out;
            last->both += entry[i].tie.both;
        } else {
            held->tie[kept++] = entry[i].tie;
        }
        held->start[entry[i].index + 1] = kept;
    }
    for (int32_t i = 0; i < held->count; i++)
        if (held->start[i + 1] < held->start[i])
            held->start[i + 1] = held->start[i];
}

int caucus_held_join(const struct caucus_own_edges *own, const struct caucus_letters *received,
                     struct caucus_held *held) {
    int64_t most = own->start[own->count] + received->start[received->leaders] / EDGE;
    struct entry *entry = caucus_array(most, sizeof *entry);
    int status = make_room(held, own->count, most);
    if (!status && !entry)
        status = CAUCUS_NO_MEMORY;
    if (!status) {
        memcpy(held->role, own->role, (size_t)own->count * sizeof *own->role);
        put_together(entry, list_entries(own, received, entry), held);
    }
    free(entry);
    return status;
}

void caucus_held_send(const struct caucus_held *held, int32_t index, int32_t to,
                      struct caucus_letters *letters) {
    int64_t first = held->start[index], end = held->start[index + 1];
    const int64_t head[HEAD] = {held->role[index], end - first};
    caucus_letters_add(letters, to, HEAD, head);
    for (int64_t k = first; k < end; k++) {
        const struct caucus_held_tie *tie = &held->tie[k];
        const int64_t numbers[TIE] = {tie->to, tie->edges, tie->out, tie->both};
        caucus_letters_add(letters, to, TIE, numbers);
    }
}

/* Where a role begins in letters. */
struct found {
    int32_t role, from;
    int64_t at;
};

static int compare_found(const void *a, const void *b) {
    return compare_roles(&((const struct found *)a)->role, &((const struct found *)b)->role);
}

/* All roles in letters, sorted: to be freed; NULL without memory. */
static struct found *find_roles(const struct caucus_letters *received, int32_t *count,
                                int64_t *ties) {
    struct found *found = NULL;
    for (int pass = 0; pass < 2; pass++) {
        *count = 0;
        *ties = 0;
        for (int32_t leader = 0; leader < received->leaders; leader++)
            for (int64_t at = received->start[leader]; at < received->start[leader + 1];
                 at += HEAD + TIE * received->number[at + 1]) {
                if (pass > 0)
                    found[*count] = (struct found){(int32_t)received->number[at], leader, at};
                *ties += received->number[at + 1];
                ++*count;
            }
        if (pass == 0)
            found = caucus_array(*count, sizeof *found);
        if (!found)
            return NULL;
    }
    qsort(found, (size_t)*count, sizeof *found, compare_found);
    return found;
}

int caucus_held_receive(const struct caucus_letters *received, struct caucus_held *held,
                        int32_t **from) {
    int32_t count;
    int64_t ties, kept = 0;
    struct found *found = find_roles(received, &count, &ties);
    int status = make_room(held, found ? count : 0, found ? ties : 0);
    if (from)
        *from = caucus_array(count, sizeof **from);
    if (!found || (from && !*from))
        status = CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < count && !status; i++) {
        const int64_t *number = received->number + found[i].at;
        held->role[i] = found[i].role;
        if (from)
            (*from)[i] = found[i].from;
        for (int64_t k = 0; k < number[1]; k++) {
            const int64_t *tie = number + HEAD + TIE * k;
            held->tie[kept++] = (struct caucus_held_tie){tie[0], tie[1], tie[2], tie[3]};
        }
        held->start[i + 1] = kept;
    }
    free(found);
    return status;
}

int32_t *caucus_held_neighbors(const struct caucus_held *held, int64_t *count) {
    int64_t ties = held->start[held->count], kept = 0;
    int32_t *role = caucus_array(ties, sizeof *role);
    for (int64_t k = 0; role && k < ties; k++)
        role[k] = (int32_t)held->tie[k].to;
    if (role)
        qsort(role, (size_t)ties, sizeof *role, compare_roles);
    for (int64_t k = 0; role && k < ties; k++)
        if (kept == 0 || role[kept - 1] != role[k])
            role[kept++] = role[k];
    *count = kept;
    return role;
}

int caucus_held_among(const struct caucus_held *held, struct caucus_ties *ties) {
    int64_t most = held->start[held->count], kept = 0;
    *ties = (struct caucus_ties){.vertices = held->count};
    ties->start = caucus_array((int64_t)held->count + 1, sizeof *ties->start);
    ties->to = caucus_array(most, sizeof *ties->to);
    ties->weight = caucus_array(most, sizeof *ties->weight);
    if (!ties->start || !ties->to || !ties->weight) {
        caucus_ties_free(ties);
        return CAUCUS_NO_MEMORY;
    }
    for (int32_t i = 0; i < held->count; i++) {
        for (int64_t k = held->start[i]; k < held->start[i + 1]; k++) {
            int32_t other = place_of(held->tie[k].to, held->role, held->count);
            if (other < 0 || held->tie[k].both == 0)
                continue;
            ties->to[kept] = other;
            ties->weight[kept++] = held->tie[k].both;
        }
        ties->start[i + 1] = kept;
    }
    return CAUCUS_OK;
}
