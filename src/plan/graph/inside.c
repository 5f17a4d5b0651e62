/* SPDX-License-Identifier: BSD-3-Clause */
/* Top-down, as plan/grid/place.c does it for grids: the roles of a node are divided among its
 * packages, those of each package among its caches. Inside the last parts roles and ranks are
 * paired as they are listed. A good division into packages can leave a worse one into caches than
 * the listed order had: then the first levels keep that order, as many as it takes. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/graph/lighten.h"
#include "plan/graph/place.h"

#include <stdlib.h>
#include <string.h>

/* Some roles and as many ranks. */
struct share {
    int32_t count;
    int32_t *role, *rank;
};

/* The part of the level that each rank is in, numbered by first appearance; how many there are. */
static int32_t number_parts(const struct share *share, const int32_t *label, int32_t *part,
                            int32_t *size) {
    int32_t parts = 0;
    for (int32_t i = 0; i < share->count; i++) {
        int32_t same = 0;
        while (label[share->rank[same]] != label[share->rank[i]])
            same++;
        part[i] = same < i ? part[same] : parts++;
        size[part[i]] = same < i ? size[part[i]] + 1 : 1;
    }
    return parts;
}

/* Replaces a division by one with a lighter cut, where that is found. */
static int improve(const struct caucus_inner *inner, const struct share *share, int32_t parts,
                   const int32_t *size, int32_t *part) {
    struct caucus_ties among;
    int status = caucus_ties_among(inner->ties, share->count, share->role, inner->number, &among);
    if (status)
        return status;
    status = caucus_graph_lighten(&among, parts, size, part);
    caucus_ties_free(&among);
    return status;
}

/* Sorts numbers by their parts, equal ones as they stand. */
static void sort_by(int32_t count, const int32_t *part, int32_t parts, int32_t *numbers,
                    int32_t *sorted) {
    int32_t at = 0;
    for (int32_t p = 0; p < parts; p++)
        for (int32_t i = 0; i < count; i++)
            if (part[i] == p)
                sorted[at++] = numbers[i];
    memcpy(numbers, sorted, (size_t)count * sizeof *numbers);
}

/* What tells ranks apart at a level; NULL below the lowest. */
static const int32_t *label_at(const struct caucus_places *places, int level) {
    return level < places->levels && level < CAUCUS_GRAPH_INNER_LEVELS ? places->part[level] : NULL;
}

/* Reorders the roles and ranks of a share such that those at the same place belong together. */
static int pair(const struct caucus_inner *inner, struct share share, int level, int keep) {
    const int32_t *label = label_at(inner->places, level);
    if (!label || share.count < 2)
        return CAUCUS_OK;
    int32_t *part = caucus_array(4 * (int64_t)share.count, sizeof *part);
    if (!part)
        return CAUCUS_NO_MEMORY;
    int32_t *own = part + share.count, *size = own + share.count, *sorted = size + share.count;
    int32_t parts = number_parts(&share, label, part, size);
    int status = CAUCUS_OK;
    memcpy(own, part, (size_t)share.count * sizeof *own);
    if (level >= keep && parts > 1)
        status = improve(inner, &share, parts, size, part);
    sort_by(share.count, part, parts, share.role, sorted);
    sort_by(share.count, own, parts, share.rank, sorted);
    for (int32_t p = 0, first = 0; p < parts && !status; first += size[p++])
        status = pair(inner, (struct share){size[p], share.role + first, share.rank + first},
                      level + 1, keep);
    free(part);
    return status;
}

/* The weight between parts of a level, where role[i] is on rank[i]. */
static double cut_of(const struct caucus_inner *inner, int level, const struct share *share) {
    const struct caucus_ties *ties = inner->ties;
    const int32_t *label = inner->places->part[level];
    double cut = 0;
    for (int32_t i = 0; i < share->count; i++)
        inner->number[share->role[i]] = i;
    for (int32_t i = 0; i < share->count; i++)
        for (int64_t k = ties->start[share->role[i]]; k < ties->start[share->role[i] + 1]; k++) {
            int32_t other = inner->number[ties->to[k]];
            if (other > i && label[share->rank[other]] != label[share->rank[i]])
                cut += (double)ties->weight[k];
        }
    for (int32_t i = 0; i < share->count; i++)
        inner->number[share->role[i]] = -1;
    return cut;
}

/* Whether no level costs more than as listed; then adds what each costs. */
static bool no_level_worse(const struct caucus_inner *inner, const struct share *listed,
                           const struct share *paired) {
    double given[CAUCUS_GRAPH_INNER_LEVELS], placed[CAUCUS_GRAPH_INNER_LEVELS];
    for (int level = 0; level < inner->places->levels; level++) {
        given[level] = cut_of(inner, level, listed);
        placed[level] = cut_of(inner, level, paired);
        if (placed[level] > given[level])
            return false;
    }
    for (int level = 0; level < inner->places->levels; level++) {
        inner->given[level] += given[level];
        inner->placed[level] += placed[level];
    }
    return true;
}

/* In the order of roles again. */
static void give_out(const struct caucus_inner *inner, const struct share *paired, int32_t count,
                     const int32_t *role, int32_t *rank_of) {
    for (int32_t i = 0; i < count; i++)
        inner->number[role[i]] = i;
    for (int32_t i = 0; i < count; i++)
        rank_of[inner->number[paired->role[i]]] = paired->rank[i];
    for (int32_t i = 0; i < count; i++)
        inner->number[role[i]] = -1;
}

int caucus_graph_place_inside(const struct caucus_inner *inner, int32_t count, const int32_t *role,
                              int32_t *rank_of) {
    int32_t *copy = caucus_array(3 * (int64_t)count, sizeof *copy);
    if (!copy)
        return CAUCUS_NO_MEMORY;
    size_t bytes = (size_t)count * sizeof *copy;
    struct share listed = {count, copy, copy + count}, paired = {count, copy, rank_of};
    int32_t *roles = copy + 2 * (int64_t)count;
    int status = CAUCUS_OK;
    memcpy(listed.rank, rank_of, bytes);
    for (int keep = 0; keep <= inner->places->levels && !status; keep++) {
        memcpy(roles, role, bytes);
        memcpy(listed.role, role, bytes);
        memcpy(paired.rank, listed.rank, bytes);
        paired.role = roles;
        status = pair(inner, paired, 0, keep);
        if (!status && no_level_worse(inner, &listed, &paired))
            break;
    }
    if (!status) {
        memcpy(listed.rank, paired.rank, bytes);
        give_out(inner, &(struct share){count, roles, listed.rank}, count, role, rank_of);
    }
    free(copy);
    return status;
}
