/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of one rank, each with its slot.
 *
 * A chunk crosses in the slot that is its height, in chunks, and one more for each height at or
 * below it at which lanes begin, of both groups and all stripes. Round the ring it is passed on in
 * the slot after. So the slots of a rank never meet: where the next chunk comes from a lane further
 * on, and has one hop less behind it, it has crossed one slot later. After the first epoch, when
 * nothing crosses any more, a rank keeps the distance from chunk to chunk that it had at the top of
 * a stripe. Tokens go in the slot before what they ask for. */
#include "plan/intergroup/stripes.h"

#include "base/status.h"

#include <stdlib.h>

struct walk {
    const struct caucus_stripes *stripes;
    const struct caucus_lanes *own, *other;
    int32_t rank; /* whose messages these are */
    struct caucus_striped_list *list;
    int status;
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t chunks(const struct caucus_stripes *stripes) {
    return (stripes->height + stripes->chunk - 1) / stripes->chunk;
}

/* How many lanes, of all stripes, begin at other heights at or below that of x. */
static int64_t heights_below(const struct caucus_stripes *stripes, const struct caucus_lanes *lanes,
                             int64_t x) {
    int64_t height = x % stripes->height;
    int32_t low = 0, high = lanes->heights;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (lanes->height[middle] <= height)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t crossing_slot(const struct walk *walk, int64_t x) {
    const struct caucus_stripes *stripes = walk->stripes;
    return x % stripes->height / stripes->chunk + heights_below(stripes, walk->own, x) +
           heights_below(stripes, walk->other, x);
}

/* When the rank at a position gets x from the one before it. */
static int64_t ring_slot(const struct walk *walk, int32_t position, int64_t epoch, int64_t x) {
    const struct caucus_stripes *stripes = walk->stripes;
    const struct caucus_lanes *own = walk->own;
    int64_t lane = caucus_lane_at(own, x);
    int64_t hops = (position - lane - 1 + own->ranks) % own->ranks;
    if (epoch == 0)
        return crossing_slot(walk, x) + hops;
    int64_t height = x % stripes->height, top = x - height + stripes->height;
    int64_t above = caucus_lane_at(own, smaller(top, stripes->length) - 1) - lane;
    return epoch * chunks(stripes) + height / stripes->chunk + own->heights + walk->other->heights -
           above + hops;
}

/* alone: it is no part of the message before it. */
static void add(struct walk *walk, struct caucus_striped message, bool alone) {
    struct caucus_striped_list *list = walk->list;
    if (walk->status || message.begin == message.end)
        return;
    if (list->count > 0 && !alone) {
        struct caucus_striped *last = &list->message[list->count - 1];
        if (last->slot == message.slot && last->peer == message.peer &&
            last->sends == message.sends && last->crosses == message.crosses && !last->token &&
            !message.token && last->end == message.begin) {
            last->end = message.end;
            return;
        }
    }
    if (list->count == list->room) {
        int64_t room = list->room ? 2 * list->room : 64;
        void *larger = realloc(list->message, (size_t)room * sizeof *list->message);
        if (!larger) {
            walk->status =
                caucus_fail(CAUCUS_NO_MEMORY, "no memory for %lld messages", (long long)room);
            return;
        }
        list->message = larger;
        list->room = room;
    }
    list->message[list->count++] = message;
}

/* Where a piece that begins at x ends: at the next one, or where a lane begins. */
static int64_t piece_end(const struct walk *walk, int64_t x, int64_t end) {
    const struct caucus_stripes *stripes = walk->stripes;
    int64_t above = x % stripes->height, inside = above % stripes->chunk, bottom = x - above;
    int64_t next = inside - inside % stripes->piece + stripes->piece;
    int64_t y = x - inside + smaller(next, stripes->chunk);
    y = smaller(y, bottom + stripes->height);
    y = smaller(y, walk->own->start[caucus_lane_at(walk->own, x) + 1]);
    y = smaller(y, walk->other->start[caucus_lane_at(walk->other, x) + 1]);
    return smaller(y, end);
}

enum { NOBODY = -1 };

/* The rank that has the data at x, and in end where its block ends on the line, if that is lower;
 * nobody has padding. */
static int32_t owner(const struct walk *walk, const struct caucus_lanes *lanes, int64_t x,
                     int64_t *end) {
    const struct caucus_stripes_nodes *nodes = &walk->stripes->nodes;
    const struct caucus_node_map *map = nodes->map;
    int32_t position = caucus_lane_at(lanes, x);
    int64_t data = caucus_lane_data(lanes, x),
            shift = lanes->start[position] - lanes->sum[position];
    int32_t index = caucus_last_begun(lanes->block, lanes->ranks, data);
    if (data == lanes->sum[position + 1])
        return NOBODY;
    *end = smaller(*end, lanes->block[index + 1] + shift);
    if (!map)
        return lanes->first + index;
    int32_t node = lanes->first + index, i = map->first[node], last = map->first[node + 1] - 1;
    while (i < last && nodes->offset[map->rank_at[i + 1]] <= data)
        i++;
    if (i < last)
        *end = smaller(*end, nodes->offset[map->rank_at[i + 1]] + shift);
    return map->rank_at[i];
}

/* What crosses, and before the first chunk of a stripe from a rank to another lane a token the
 * other way. */
static void add_crossing(struct walk *walk, struct caucus_striped message, bool fresh) {
    struct caucus_striped token = message;
    if (message.slot > 0 && fresh) {
        token.slot--;
        token.begin = 0;
        token.end = 1;
        token.sends = !message.sends;
        token.token = true;
        add(walk, token, true);
    }
    add(walk, message, false);
}

/* How crossing pieces follow one another. */
struct crossing {
    int32_t position, from, beside; /* the last two: of the piece before */
    bool sends;
};

/* A piece from x to end, by the ranks that have it. */
static void cross_piece(struct walk *walk, struct crossing *crossing, int64_t x, int64_t end) {
    const struct caucus_lanes *data = crossing->sends ? walk->own : walk->other;
    const struct caucus_lanes *to = crossing->sends ? walk->other : walk->own;
    int64_t slot = crossing_slot(walk, x);
    int32_t beside = caucus_lane_at(walk->other, x);
    int32_t next = crossing->sends ? (beside + 1) % to->ranks : crossing->position;
    int32_t carrier = caucus_stripes_carrier(walk->stripes, to, next, x);
    for (int64_t y; x < end; x = y) {
        y = end;
        int32_t from = owner(walk, data, x, &y);
        struct caucus_striped message = {
            .slot = slot,
            .key = x % walk->stripes->height,
            .begin = caucus_lane_data(data, x),
            .end = caucus_lane_data(data, y),
            .peer = crossing->sends ? carrier : from,
            .sends = crossing->sends,
            .crosses = true,
        };
        if (message.begin == message.end)
            continue;
        bool fresh = from != crossing->from || beside != crossing->beside || message.key == 0;
        crossing->from = from;
        crossing->beside = beside;
        if (walk->rank == (crossing->sends ? from : carrier))
            add_crossing(walk, message, fresh);
    }
}

/* Whose lane has the block of the rank at a position. */
static int32_t lane_with(const struct caucus_lanes *lanes, int32_t position) {
    int32_t lane = 0;
    if (position < lanes->wide)
        return position;
    while (lane < lanes->wide - 1 && lanes->sum[lane + 1] <= lanes->block[lanes->order[position]])
        lane++;
    return lane;
}

/* The lane that has the own block: out to the other group; the lane before the own one: in. */
static void walk_crossing(struct walk *walk, int32_t position, bool sends) {
    const struct caucus_lanes *own = walk->own;
    int32_t lane = sends ? lane_with(own, position) : (position + own->ranks - 1) % own->ranks;
    struct crossing crossing = {position, -1, -1, sends};
    int64_t end = own->start[lane + 1];
    for (int64_t x = own->start[lane], y; x < end; x = y) {
        y = piece_end(walk, x, end);
        cross_piece(walk, &crossing, x, y);
    }
}

/* A part of a stripe that passes from the rank before a position to it; without what crosses to
 * that position. */
static void walk_part(struct walk *walk, int32_t position, bool sends, int64_t epoch, int64_t x,
                      int64_t end) {
    const struct caucus_lanes *own = walk->own;
    int32_t before = (position + own->ranks - 1) % own->ranks;
    for (int64_t y; x < end; x = y) {
        y = piece_end(walk, x, end);
        if (epoch == 0 && x >= own->start[before] && x < own->start[before + 1])
            continue;
        int32_t from = caucus_stripes_carrier(walk->stripes, own, before, x);
        int32_t to = caucus_stripes_carrier(walk->stripes, own, position, x);
        if (walk->rank != (sends ? from : to))
            continue;
        bool alone =
            walk->stripes->reduces && (x == own->start[position] || x == own->start[position + 1]);
        add(walk,
            (struct caucus_striped){
                .slot = ring_slot(walk, position, epoch, x),
                .key = epoch * walk->stripes->height + x % walk->stripes->height,
                .begin = caucus_lane_data(walk->other, x),
                .end = caucus_lane_data(walk->other, y),
                .peer = sends ? to : from,
                .sends = sends,
            },
            alone);
    }
}

/* All that the rank at a position gets from the one before it, stripe by stripe downwards from
 * where its lane begins. */
static void walk_ring(struct walk *walk, int32_t position, bool sends) {
    const struct caucus_stripes *stripes = walk->stripes;
    int64_t height = stripes->height, count = stripes->count;
    int64_t top = position > 0 ? walk->own->start[position] : stripes->length;
    int64_t stripe = top / height, part = top % height;
    if (walk->own->ranks == 1)
        return;
    for (int64_t epoch = 0; epoch < count; epoch++) {
        int64_t bottom = (stripe - epoch + count) % count * height;
        walk_part(walk, position, sends, epoch, bottom, smaller(bottom + part, stripes->length));
        bottom = (stripe - 1 - epoch + count) % count * height;
        walk_part(walk, position, sends, epoch, bottom + part,
                  smaller(bottom + height, stripes->length));
    }
}

static int compare(const void *left, const void *right) {
    const struct caucus_striped *a = left, *b = right;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->sends != b->sends)
        return a->sends ? 1 : -1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return b->token - a->token;
}

int caucus_stripes_messages(const struct caucus_stripes *stripes, int32_t rank,
                            struct caucus_striped_list *list) {
    int32_t index = stripes->nodes.map ? stripes->nodes.map->node_of_rank[rank] : rank;
    int group = index >= stripes->lanes[1].first;
    struct walk walk = {
        .stripes = stripes,
        .own = &stripes->lanes[group],
        .other = &stripes->lanes[!group],
        .rank = rank,
        .list = list,
    };
    *list = (struct caucus_striped_list){0};
    if (stripes->length == 0)
        return CAUCUS_OK;
    int32_t position = walk.own->position[index - walk.own->first];
    walk_crossing(&walk, position, false);
    walk_crossing(&walk, position, true);
    walk_ring(&walk, position, false);
    walk_ring(&walk, (position + 1) % walk.own->ranks, true);
    if (walk.status) {
        free(list->message);
        *list = (struct caucus_striped_list){0};
    } else if (list->count > 0) {
        qsort(list->message, (size_t)list->count, sizeof *list->message, compare);
    }
    return walk.status;
}
