/* SPDX-License-Identifier: BSD-3-Clause */
/* The other group's data as the ranks of a node get it: chunk by chunk, by turns. */
#include "plan/intergroup/stripes.h"

#include "base/status.h"

#include <stdlib.h>

struct search {
    const struct caucus_stripes *stripes;
    struct caucus_stripes_parts *parts;
    struct caucus_group_blocks other;
    const int64_t *cut; /* of the other group's blocks, in the order of ranks */
    int32_t next;       /* in the node map: whose block comes */
    int status;
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Whether nodes are blocks of the group's ranks. */
static bool is_straight(const struct search *search) {
    for (int32_t i = 0; i < search->other.ranks; i++)
        if (search->cut[i] != search->cut[i + 1] &&
            search->stripes->nodes.offset[search->other.first + i] != search->cut[i])
            return false;
    return true;
}

static void add(struct search *search, struct caucus_stripes_part part) {
    struct caucus_stripes_parts *parts = search->parts;
    if (parts->count == parts->room) {
        int64_t room = parts->room ? 2 * parts->room : 64;
        void *more = realloc(parts->part, (size_t)room * sizeof *parts->part);
        if (!more) {
            search->status = caucus_fail(CAUCUS_NO_MEMORY, "no memory for %lld chunks of a node",
                                         (long long)room);
            return;
        }
        parts->part = more;
        parts->room = room;
    }
    parts->part[parts->count++] = part;
}

/* The rank whose block has this byte of the data; called for ascending ones. */
static int32_t owner(struct search *search, int64_t data) {
    const struct caucus_node_map *map = search->stripes->nodes.map;
    for (;; search->next++) {
        int32_t rank = map->rank_at[search->next], i = rank - search->other.first;
        if (i < 0 || i >= search->other.ranks)
            continue;
        int64_t block = search->cut[i + 1] - search->cut[i];
        if (data < search->stripes->nodes.offset[rank] + block)
            return i;
    }
}

static void add_chunk(struct search *search, struct caucus_stripes_part chunk) {
    int64_t end = chunk.data + chunk.bytes;
    while (chunk.data < end && !search->status) {
        chunk.place = chunk.data;
        chunk.bytes = end - chunk.data;
        if (!search->parts->straight) {
            int32_t i = owner(search, chunk.data);
            int64_t inside = chunk.data - search->stripes->nodes.offset[search->other.first + i];
            int64_t left = search->cut[i + 1] - search->cut[i] - inside;
            chunk.place = search->cut[i] + inside;
            chunk.bytes = chunk.bytes < left ? chunk.bytes : left;
        }
        add(search, chunk);
        chunk.data += chunk.bytes;
    }
}

int caucus_stripes_find_parts(const struct caucus_stripes *stripes, int32_t rank,
                              const struct caucus_group_blocks *other, const int64_t *cut,
                              struct caucus_stripes_parts *parts) {
    const struct caucus_node_map *map = stripes->nodes.map;
    struct search search = {.stripes = stripes, .parts = parts, .other = *other, .cut = cut};
    const struct caucus_lanes *own = &stripes->lanes[other->first == 0];
    const struct caucus_lanes *data = &stripes->lanes[other->first != 0];
    int32_t node = map->node_of_rank[rank], pieces = 0;
    int32_t position = own->position[node - own->first];
    *parts = (struct caucus_stripes_parts){0};
    parts->straight = is_straight(&search);
    for (int64_t x = 0, y; x < stripes->length; x = y, pieces++) {
        int64_t above = x % stripes->height, inside = above % stripes->chunk;
        y = x + smaller(stripes->piece, stripes->chunk - inside);
        y = smaller(y, x - above + stripes->height);
        y = smaller(y, stripes->length);
        int64_t begin = caucus_lane_data(data, x);
        int32_t carrier = caucus_stripes_carrier(stripes, own, position, x);
        add_chunk(&search, (struct caucus_stripes_part){
                               .data = begin,
                               .bytes = caucus_lane_data(data, y) - begin,
                               .local = map->local_of_rank[carrier],
                               .unit = pieces / caucus_node_size(map, node),
                           });
    }
    if (search.status) {
        free(parts->part);
        *parts = (struct caucus_stripes_parts){0};
    }
    return search.status;
}
