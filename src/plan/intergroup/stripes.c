/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/stripes.h"

#include "plan/collective/cost.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* A message of fewer bytes is not worth its latency, whatever the fill. */
enum { SHORTEST_CHUNK = 512 };

/* So many ranks of a node drive its card, and so many teams of them take turns at the least. */
enum { TEAM = 2, TURNS = 2 };

/* The latency of a message is so many times as many bytes of a card as of a rank: a card is about
 * twice as fast, and a chunk comes in and leaves again before its team's next turn. */
enum { NODE_LATENCY = 4 };

/* No sum of a few such overflows. */
static const int64_t LONGEST_LINE = (int64_t)1 << 60;

/* A gain in time that is worth some bytes more at a port. */
static const double WORTHWHILE = 0.98;

static int64_t divide_up(int64_t a, int64_t b) {
    return a / b + (a % b != 0);
}

/* Up to whole elements. */
static int64_t whole(const struct caucus_stripes *stripes, int64_t bytes) {
    return divide_up(bytes, stripes->element) * stripes->element;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* How many of those that begin in ascending order begin at x or before it. */
static int32_t count_begun(const int64_t *begin, int32_t count, int64_t x) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (begin[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last of them, or the first of all. */
static int32_t last_begun(const int64_t *begin, int32_t count, int64_t x) {
    int32_t begun = count_begun(begin, count, x);
    return begun > 0 ? begun - 1 : 0;
}

enum weight { HEAVY, LIGHT, EMPTY, WEIGHTS };

static enum weight weight_of(int64_t block, int64_t light) {
    return block == 0 ? EMPTY : block <= light ? LIGHT : HEAVY;
}

static void lanes_free(struct caucus_lanes *lanes) {
    free(lanes->order);
    free(lanes->position);
    free(lanes->start);
    free(lanes->sum);
    free(lanes->block);
    free(lanes->height);
}

/* Ranks of a weight come next, from a position on; returns the one behind them. */
static int32_t place_weight(struct caucus_lanes *lanes, enum weight weight, int64_t light,
                            int32_t next) {
    for (int32_t rank = 0; rank < lanes->ranks; rank++)
        if (weight_of(lanes->block[rank + 1] - lanes->block[rank], light) == weight) {
            lanes->order[next] = rank;
            lanes->position[rank] = next++;
        }
    return next;
}

/* light: the bytes of the longest block that is. */
static int lanes_init(struct caucus_lanes *lanes, const struct caucus_group_side *side,
                      int64_t light) {
    int32_t ranks = side->ranks;
    *lanes = (struct caucus_lanes){.ranks = ranks, .first = side->first};
    lanes->order = caucus_array(ranks, sizeof *lanes->order);
    lanes->position = caucus_array(ranks, sizeof *lanes->position);
    lanes->start = caucus_array((int64_t)ranks + 1, sizeof *lanes->start);
    lanes->sum = caucus_array((int64_t)ranks + 1, sizeof *lanes->sum);
    lanes->block = caucus_array((int64_t)ranks + 1, sizeof *lanes->block);
    lanes->height = caucus_array(ranks, sizeof *lanes->height);
    if (!lanes->height || !lanes->order || !lanes->position || !lanes->start || !lanes->sum ||
        !lanes->block)
        return CAUCUS_NO_MEMORY;
    for (int32_t rank = 0; rank < ranks; rank++)
        lanes->block[rank + 1] = lanes->block[rank] + caucus_group_block(side, rank);
    int32_t heavy = place_weight(lanes, HEAVY, light, 0);
    int32_t after = place_weight(lanes, LIGHT, light, heavy);
    place_weight(lanes, EMPTY, light, after);
    lanes->wide = heavy > 0 ? heavy : ranks;
    for (int32_t i = 0; i < ranks; i++)
        lanes->sum[i + 1] = lanes->block[i + 1 < lanes->wide ? lanes->order[i] + 1 : ranks];
    return CAUCUS_OK;
}

static int by_height(const void *left, const void *right) {
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void find_heights(struct caucus_lanes *lanes, int64_t length, int64_t height) {
    int32_t count = 0, kept = 0;
    for (int32_t i = 0; i < lanes->ranks; i++)
        if (lanes->start[i] % height != 0 && lanes->start[i] < length)
            lanes->height[count++] = lanes->start[i] % height;
    qsort(lanes->height, (size_t)count, sizeof *lanes->height, by_height);
    for (int32_t i = 0; i < count; i++)
        if (i == 0 || lanes->height[i] != lanes->height[i - 1])
            lanes->height[kept++] = lanes->height[i];
    lanes->heights = kept;
}

/* Padding comes as early as it can. */
static void place_lanes(struct caucus_lanes *lanes, int64_t length, int64_t height) {
    int64_t padding = length - lanes->sum[lanes->ranks];
    for (int32_t i = 0; i < lanes->ranks; i++) {
        int64_t end = padding + lanes->sum[i + 1];
        lanes->start[i + 1] = smaller(lanes->start[i] + height, end);
    }
    find_heights(lanes, length, height);
}

static void place_all(struct caucus_stripes *stripes) {
    for (int group = 0; group < 2; group++)
        place_lanes(&stripes->lanes[group], stripes->length, stripes->height);
}

static int64_t longest_block(const struct caucus_lanes *lanes) {
    int64_t longest = divide_up(lanes->sum[lanes->ranks], lanes->ranks);
    for (int32_t i = 0; i < lanes->ranks; i++)
        longest = larger(longest, lanes->sum[i + 1] - lanes->sum[i]);
    return longest;
}

static void choose_stripes(struct caucus_stripes *stripes, double latency) {
    const struct caucus_lanes *first = &stripes->lanes[0], *second = &stripes->lanes[1];
    int64_t total = stripes->length, ranks = larger(first->ranks, second->ranks);
    int64_t least = larger(divide_up(total, first->ranks), divide_up(total, second->ranks));
    int64_t longest = larger(larger(longest_block(first), longest_block(second)), least);
    stripes->height = whole(stripes, divide_up(total, total / longest));
    stripes->count = divide_up(total, stripes->height);
    place_all(stripes);
    int64_t cuts = (int64_t)first->heights + second->heights;
    bool same = first->ranks == second->ranks;
    stripes->fill = same && first->ranks == stripes->count && cuts == 0 ? 0 : ranks - 1 + cuts;
    double root = sqrt((double)total) + sqrt((double)stripes->fill * latency);
    int64_t messages = stripes->count + cuts + (stripes->fill ? 2 : 0);
    stripes->bytes = root * root + (double)messages * latency;
}

/* least_fill: a chunk that nobody waits for still has a latency, which others hide only if there
 * are some. turns: who takes chunks by turns gets at least one. */
static void choose_chunk(struct caucus_stripes *stripes, double latency, int64_t segment,
                         int64_t least_fill, int64_t turns) {
    int64_t most = larger(divide_up(stripes->length, turns), SHORTEST_CHUNK);
    int64_t chunk = stripes->height, fill = larger(stripes->fill, least_fill);
    if (fill > 0)
        chunk = segment ? segment : (int64_t)sqrt(latency * (double)stripes->length / (double)fill);
    chunk = larger(chunk, segment ? 1 : SHORTEST_CHUNK);
    chunk = smaller(chunk, smaller(most, stripes->height));
    stripes->chunk = whole(stripes, divide_up(stripes->height, divide_up(stripes->height, chunk)));
    stripes->piece = stripes->chunk;
}

static int lanes_of_both(struct caucus_lanes lanes[2], const struct caucus_group_side side[2],
                         int64_t light) {
    int status = lanes_init(&lanes[side[0].first > 0], &side[0], light);
    return status ? status : lanes_init(&lanes[side[1].first > 0], &side[1], light);
}

/* Where there is data, the line is as long as it must be. */
static int init_lanes(struct caucus_stripes *stripes, const struct caucus_task *task,
                      const struct caucus_group_side side[2]) {
    int64_t totals[] = {caucus_group_total(&side[0]), caucus_group_total(&side[1])};
    *stripes = (struct caucus_stripes){.element = task->element > 0 ? task->element : 1};
    stripes->reduces = caucus_task_reduces(task->collective);
    if (totals[0] < 0 || totals[1] < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the blocks of a group have more than 2^60 bytes");
    int status = lanes_of_both(stripes->lanes, side, 0);
    if (status)
        caucus_stripes_free(stripes);
    else
        stripes->length = larger(totals[0], totals[1]);
    return status;
}

/* Takes light ranks together where that is worth more than they cost: in a single stripe, as lanes
 * must not be longer than that. */
static int lighten(struct caucus_stripes *stripes, const struct caucus_group_side side[2],
                   double latency) {
    struct caucus_stripes lighter = *stripes;
    int64_t light = stripes->length / CAUCUS_STRIPES_LIGHT;
    if (stripes->count > 1 || stripes->reduces || light == 0)
        return CAUCUS_OK;
    lighter.lanes[0] = lighter.lanes[1] = (struct caucus_lanes){0};
    int status = lanes_of_both(lighter.lanes, side, light);
    if (!status)
        choose_stripes(&lighter, latency);
    bool better = !status && lighter.bytes < WORTHWHILE * stripes->bytes;
    struct caucus_stripes *left = better ? stripes : &lighter;
    lanes_free(&left->lanes[0]);
    lanes_free(&left->lanes[1]);
    if (better)
        *stripes = lighter;
    return status;
}

/* Lanes and stripes: to be freed unless this fails. */
static int lay_out(struct caucus_stripes *stripes, const struct caucus_task *task,
                   const struct caucus_group_side side[2], double latency) {
    int status = init_lanes(stripes, task, side);
    if (status || stripes->length == 0)
        return status;
    choose_stripes(stripes, latency);
    status = lighten(stripes, side, latency);
    if (status)
        caucus_stripes_free(stripes);
    return status;
}

int caucus_stripes_init(struct caucus_stripes *stripes, const struct caucus_task *task,
                        double latency, int64_t segment) {
    struct caucus_group_side side[] = {caucus_own_side(task), caucus_other_side(task)};
    int status = lay_out(stripes, task, side, latency);
    if (!status && stripes->length > 0)
        choose_chunk(stripes, latency, segment, 0, 1);
    return status;
}

int caucus_stripes_init_even(struct caucus_stripes *stripes, const struct caucus_task *task) {
    struct caucus_group_side side[] = {caucus_own_side(task), caucus_other_side(task)};
    if (side[0].ranks != side[1].ranks)
        return caucus_fail(CAUCUS_NOT_APPLICABLE,
                           "a ring of whole blocks is for groups of one size");
    int status = init_lanes(stripes, task, side);
    if (status || stripes->length == 0)
        return status;
    const struct caucus_lanes *lanes = stripes->lanes;
    stripes->count = lanes[0].ranks;
    stripes->height = larger(longest_block(&lanes[0]), longest_block(&lanes[1]));
    if (stripes->height > LONGEST_LINE / stripes->count) {
        caucus_stripes_free(stripes);
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "a line of whole blocks would be too long");
    }
    stripes->chunk = stripes->piece = stripes->height;
    stripes->length = stripes->count * stripes->height;
    place_all(stripes);
    return CAUCUS_OK;
}

/* Nodes of the first group come first, as nodes are numbered by their lowest ranks. */
static int32_t nodes_of_first(const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    int32_t nodes = 0;
    while (nodes < map->nodes && caucus_rank_in_node(map, nodes, 0) < task->first_group)
        nodes++;
    return nodes;
}

/* The blocks of a side's nodes; where those of its ranks begin goes to offset. */
static void sum_nodes(const struct caucus_node_map *map, const struct caucus_group_side *side,
                      struct caucus_group_side *nodes, int64_t *length, int64_t *offset) {
    int64_t begin = 0;
    for (int32_t node = nodes->first; node < nodes->first + nodes->ranks; node++) {
        for (int32_t i = caucus_node_first(map, node); i < caucus_node_first(map, node + 1); i++) {
            int64_t block = caucus_group_block(side, caucus_rank_at(map, i) - side->first);
            offset[caucus_rank_at(map, i)] = begin;
            length[node] += block;
            begin += block;
        }
    }
    nodes->length = length + nodes->first;
}

int caucus_stripes_init_nodes(struct caucus_stripes *stripes, const struct caucus_task *task,
                              double latency, int64_t segment) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    int32_t first = nodes_of_first(task);
    *stripes = (struct caucus_stripes){0};
    if (!caucus_intergroup_nodes_apart(task))
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "a node has ranks of both groups");
    if (caucus_group_total(&own) < 0 || caucus_group_total(&other) < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the blocks of a group have more than 2^60 bytes");
    int64_t *length = caucus_array(map->nodes, sizeof *length);
    int64_t *offset = caucus_array((int64_t)task->ranks + 1, sizeof *offset);
    int32_t team = map->largest >= TEAM * TURNS ? TEAM : 1, turns = map->largest / team;
    bool second = own.first > 0;
    struct caucus_group_side side[] = {{0, first, 0, NULL}, {first, map->nodes - first, 0, NULL}};
    int status = length && offset ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    latency *= NODE_LATENCY / (double)turns;
    if (!status) {
        sum_nodes(map, &own, &side[second], length, offset);
        sum_nodes(map, &other, &side[!second], length, offset);
        status = lay_out(stripes, task, side, latency);
    }
    free(length);
    if (status) {
        free(offset);
        return status;
    }
    stripes->nodes = (struct caucus_stripes_nodes){.map = map, .offset = offset};
    if (stripes->length > 0) {
        choose_chunk(stripes, latency, segment,
                     larger(stripes->lanes[0].ranks, stripes->lanes[1].ranks) - 1, turns);
        stripes->piece = whole(stripes, divide_up(stripes->chunk, team));
    }
    return CAUCUS_OK;
}

/* The rank that gets the piece of x for the node, or rank, at a position. */
static int32_t carrier_of(const struct caucus_stripes *stripes, const struct caucus_lanes *lanes,
                          int32_t position, int64_t x) {
    const struct caucus_node_map *map = stripes->nodes.map;
    int32_t index = lanes->first + lanes->order[position];
    if (!map)
        return index;
    int64_t above = x % stripes->height, team = divide_up(stripes->chunk, stripes->piece);
    int64_t turn = x / stripes->height + above / stripes->chunk;
    int64_t local = turn * team + above % stripes->chunk / stripes->piece;
    return caucus_rank_in_node(map, index, (int32_t)(local % caucus_node_size(map, index)));
}

void caucus_stripes_free(struct caucus_stripes *stripes) {
    for (int group = 0; group < 2; group++)
        lanes_free(&stripes->lanes[group]);
    free(stripes->nodes.offset);
    *stripes = (struct caucus_stripes){0};
}

static int32_t lane_at(const struct caucus_lanes *lanes, int64_t x) {
    return last_begun(lanes->start, lanes->ranks, x);
}

int64_t caucus_lane_data(const struct caucus_lanes *lanes, int64_t x) {
    if (x >= lanes->start[lanes->ranks])
        return lanes->sum[lanes->ranks];
    int32_t i = lane_at(lanes, x);
    int64_t block = lanes->sum[i + 1] - lanes->sum[i];
    return lanes->sum[i] + smaller(x - lanes->start[i], block);
}

int64_t caucus_stripes_own_begin(const struct caucus_stripes *stripes, int32_t rank) {
    if (stripes->nodes.map)
        return stripes->nodes.offset[rank];
    const struct caucus_lanes *own = &stripes->lanes[rank >= stripes->lanes[1].first];
    return own->block[rank - own->first];
}

struct caucus_stripes_place caucus_stripes_place_of(const struct caucus_stripes *stripes,
                                                    int32_t rank) {
    int32_t index = stripes->nodes.map ? caucus_node_of_rank(stripes->nodes.map, rank) : rank;
    int group = index >= stripes->lanes[1].first;
    const struct caucus_lanes *own = &stripes->lanes[group];
    return (struct caucus_stripes_place){own, &stripes->lanes[!group],
                                         own->position[index - own->first]};
}

/* The messages of one rank, each with its slot.
 *
 * A chunk crosses in the slot that is its height, in chunks, and one more for each height at or
 * below it at which lanes begin, of both groups and all stripes. Round the ring it is passed on in
 * the slot after. So the slots of a rank never meet: where the next chunk comes from a lane further
 * on, and has one hop less behind it, it has crossed one slot later. After the first epoch, when
 * nothing crosses any more, a rank keeps the distance from chunk to chunk that it had at the top of
 * a stripe. Tokens go in the slot before what they ask for. */
struct walk {
    const struct caucus_stripes *stripes;
    const struct caucus_lanes *own, *other;
    int32_t rank; /* whose messages these are */
    struct caucus_striped_list *list;
    int status;
};

static int64_t crossing_slot(const struct walk *walk, int64_t x) {
    int64_t height = x % walk->stripes->height, slot = height / walk->stripes->chunk;
    const struct caucus_lanes *lanes[] = {walk->own, walk->other};
    for (int group = 0; group < 2; group++)
        slot += count_begun(lanes[group]->height, lanes[group]->heights, height);
    return slot;
}

/* When the rank at a position gets x from the one before it. */
static int64_t ring_slot(const struct walk *walk, int32_t position, int64_t epoch, int64_t x) {
    const struct caucus_stripes *stripes = walk->stripes;
    const struct caucus_lanes *own = walk->own;
    int64_t lane = lane_at(own, x);
    int64_t hops = (position - lane - 1 + own->ranks) % own->ranks;
    if (epoch == 0)
        return crossing_slot(walk, x) + hops;
    int64_t height = x % stripes->height, top = x - height + stripes->height;
    int64_t above = lane_at(own, smaller(top, stripes->length) - 1) - lane;
    return epoch * divide_up(stripes->height, stripes->chunk) + height / stripes->chunk +
           own->heights + walk->other->heights - above + hops;
}

/* alone: it is no part of the message before it. */
static void add_message(struct walk *walk, struct caucus_striped message, bool alone) {
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
    void *wider = caucus_array_grow(list->message, list->count, &list->room, sizeof message);
    if (!wider) {
        walk->status = CAUCUS_NO_MEMORY;
        return;
    }
    list->message = wider;
    list->message[list->count++] = message;
}

/* Where a piece that begins at x ends: at the next one, or where a lane begins. */
static int64_t piece_end(const struct walk *walk, int64_t x, int64_t end) {
    const struct caucus_stripes *stripes = walk->stripes;
    int64_t above = x % stripes->height, inside = above % stripes->chunk, bottom = x - above;
    int64_t next = inside - inside % stripes->piece + stripes->piece;
    int64_t y = x - inside + smaller(next, stripes->chunk);
    y = smaller(y, bottom + stripes->height);
    y = smaller(y, walk->own->start[lane_at(walk->own, x) + 1]);
    y = smaller(y, walk->other->start[lane_at(walk->other, x) + 1]);
    return smaller(y, end);
}

enum { NOBODY = -1 };

/* The rank that has the data at x, and in end where its block ends on the line, if that is lower;
 * nobody has padding, which ends with the lane. */
static int32_t owner(const struct caucus_stripes *stripes, const struct caucus_lanes *lanes,
                     int64_t x, int64_t *end) {
    const struct caucus_stripes_nodes *nodes = &stripes->nodes;
    const struct caucus_node_map *map = nodes->map;
    int32_t position = lane_at(lanes, x);
    int64_t data = caucus_lane_data(lanes, x),
            shift = lanes->start[position] - lanes->sum[position];
    int32_t index = last_begun(lanes->block, lanes->ranks, data);
    if (data == lanes->sum[position + 1]) {
        *end = smaller(*end, lanes->start[position + 1]);
        return NOBODY;
    }
    *end = smaller(*end, lanes->block[index + 1] + shift);
    if (!map)
        return lanes->first + index;
    int32_t node = lanes->first + index, i = caucus_node_first(map, node);
    int32_t last = i + caucus_node_size(map, node) - 1;
    while (i < last && nodes->offset[caucus_rank_at(map, i + 1)] <= data)
        i++;
    if (i < last)
        *end = smaller(*end, nodes->offset[caucus_rank_at(map, i + 1)] + shift);
    return caucus_rank_at(map, i);
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
        add_message(walk, token, true);
    }
    add_message(walk, message, false);
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
    int32_t beside = lane_at(walk->other, x);
    int32_t next = crossing->sends ? (beside + 1) % to->ranks : crossing->position;
    int32_t carrier = carrier_of(walk->stripes, to, next, x);
    for (int64_t y; x < end; x = y) {
        y = end;
        int32_t from = owner(walk->stripes, data, x, &y);
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
        int32_t from = carrier_of(walk->stripes, own, before, x);
        int32_t to = carrier_of(walk->stripes, own, position, x);
        if (walk->rank != (sends ? from : to))
            continue;
        bool alone =
            walk->stripes->reduces && (x == own->start[position] || x == own->start[position + 1]);
        add_message(walk,
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

static int by_slot(const void *left, const void *right) {
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
    struct caucus_stripes_place place = caucus_stripes_place_of(stripes, rank);
    int32_t position = place.position;
    struct walk walk = {
        .stripes = stripes, .own = place.own, .other = place.other, .rank = rank, .list = list};
    *list = (struct caucus_striped_list){0};
    if (stripes->length == 0)
        return CAUCUS_OK;
    walk_crossing(&walk, position, false);
    walk_crossing(&walk, position, true);
    walk_ring(&walk, position, false);
    walk_ring(&walk, (position + 1) % walk.own->ranks, true);
    if (walk.status) {
        free(list->message);
        *list = (struct caucus_striped_list){0};
    } else if (list->count > 0) {
        qsort(list->message, (size_t)list->count, sizeof *list->message, by_slot);
    }
    return walk.status;
}

/* Whether nodes are blocks of the group's ranks: cut is where these begin. */
static bool is_straight(const struct caucus_stripes *stripes, const struct caucus_group_side *group,
                        const int64_t *cut) {
    for (int32_t i = 0; i < group->ranks; i++)
        if (cut[i] != cut[i + 1] && stripes->nodes.offset[group->first + i] != cut[i])
            return false;
    return true;
}

static int add_part(struct caucus_stripes_parts *parts, struct caucus_stripes_part part) {
    void *wider = caucus_array_grow(parts->part, parts->count, &parts->room, sizeof part);
    if (!wider)
        return CAUCUS_NO_MEMORY;
    parts->part = wider;
    parts->part[parts->count++] = part;
    return CAUCUS_OK;
}

int caucus_stripes_find_parts(const struct caucus_stripes *stripes, int32_t rank,
                              const struct caucus_group_side *other, const int64_t *cut,
                              struct caucus_stripes_parts *parts) {
    const struct caucus_node_map *map = stripes->nodes.map;
    struct caucus_stripes_place place = caucus_stripes_place_of(stripes, rank);
    int32_t node = caucus_node_of_rank(map, rank), pieces = 0;
    int status = CAUCUS_OK;
    *parts = (struct caucus_stripes_parts){.straight = is_straight(stripes, other, cut)};
    for (int64_t x = 0, end; x < stripes->length; x = end, pieces++) {
        int64_t above = x % stripes->height, inside = above % stripes->chunk;
        end = x + smaller(stripes->piece, stripes->chunk - inside);
        end = smaller(end, x - above + stripes->height);
        end = smaller(end, stripes->length);
        int32_t carrier = carrier_of(stripes, place.own, place.position, x);
        for (int64_t at = x, y; at < end && !status; at = y) {
            int64_t data = caucus_lane_data(place.other, at), begin = data;
            y = end;
            if (!parts->straight) {
                int32_t from = owner(stripes, place.other, at, &y);
                if (from == NOBODY)
                    continue;
                begin += cut[from - other->first] - stripes->nodes.offset[from];
            }
            int64_t bytes = caucus_lane_data(place.other, y) - data;
            if (bytes > 0)
                status = add_part(parts, (struct caucus_stripes_part){
                                             .data = data,
                                             .place = begin,
                                             .bytes = bytes,
                                             .local = caucus_local_of_rank(map, carrier),
                                             .unit = pieces / caucus_node_size(map, node),
                                         });
        }
    }
    if (status) {
        free(parts->part);
        *parts = (struct caucus_stripes_parts){0};
    }
    return status;
}

/* As long as chunks cross, all cards pass some of each stripe; then, where nodes are blocks of
 * ranks, only what goes round. */
double caucus_stripes_cost(const struct caucus_stripes *stripes, const struct caucus_task *task,
                           const struct caucus_model *model) {
    if (stripes->length == 0)
        return 0;
    double chunk = (double)stripes->chunk, ranks = task->nodes ? task->nodes->largest : 1;
    double chunks = ceil((double)stripes->length / chunk) + (double)stripes->fill;
    double crossing = ceil((double)stripes->height / chunk);
    double sharing = (double)stripes->count < ranks ? (double)stripes->count : ranks;
    double round = caucus_cost_shift(task, model, 1, chunk);
    double across = caucus_cost_between(model, chunk, sharing);
    double seconds = crossing * (across > round ? across : round) + (chunks - crossing) * round;
    return seconds + (stripes->reduces ? chunks * caucus_cost_reduce(model, chunk) : 0);
}

/* How much of the line is passed on: a group on one node does that with nothing. */
static double passed_on(const struct caucus_stripes *stripes) {
    int64_t most = 0;
    for (int group = 0; group < 2; group++) {
        const struct caucus_lanes *other = &stripes->lanes[!group];
        if (stripes->lanes[group].ranks > 1)
            most = larger(most, other->sum[other->ranks]);
    }
    return (double)most / (double)stripes->length;
}

/* A rank that has much of the data sends it alone, piece by piece, and waits wherever a lane of
 * the other group begins; half of the data has all of that. */
static double heaviest_cost(const struct caucus_stripes *stripes, const struct caucus_task *task,
                            const struct caucus_model *model, double hop) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    double longest = (double)larger(caucus_group_longest(&own), caucus_group_longest(&other));
    double pieces = ceil(longest / (double)stripes->piece);
    double waits = (double)stripes->fill * fmin(1, 2 * longest / (double)stripes->length);
    return pieces * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]) +
           longest * model->byte[CAUCUS_BETWEEN_NODES] + waits * hop;
}

/* What crosses comes in a message for each block and each piece that begins: many for a group of
 * few ranks. */
static double arrivals_cost(const struct caucus_stripes *stripes, const struct caucus_task *task,
                            const struct caucus_model *model) {
    double fewer = task->ranks - caucus_intergroup_larger(task);
    double pieces = ceil((double)stripes->length / (double)stripes->piece);
    return (task->ranks - fewer + pieces) / fewer *
           (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]);
}

/* A card passes one chunk after the other. As many teams of ranks as the smallest node has wait for
 * them; each gets a chunk, then passes it on. */
double caucus_stripes_node_cost(const struct caucus_stripes *stripes,
                                const struct caucus_task *task, const struct caucus_model *model) {
    if (stripes->length == 0)
        return 0;
    double chunk = (double)stripes->chunk, piece = (double)stripes->piece;
    double chunks = ceil((double)stripes->length / chunk), team = ceil(chunk / piece);
    double turns = floor(task->nodes->smallest / team);
    double hop = caucus_cost_between(model, piece, team);
    double passed = passed_on(stripes);
    double turn = passed * (turns > 1 ? 2 * hop / turns : turns < 1 ? team * hop : hop);
    double reduce = stripes->reduces ? caucus_cost_reduce(model, piece) : 0;
    double slot =
        turn + reduce > chunk * model->card_byte ? turn + reduce : chunk * model->card_byte;
    double fill = passed > 0 ? 0.25 * (double)stripes->fill : 1; /* as measured */
    double seconds = chunks * slot + fill * (hop + reduce);
    int64_t hops = larger(stripes->lanes[0].ranks, stripes->lanes[1].ranks);
    double around = (double)hops * (hop + reduce);
    double least = fmax(around, heaviest_cost(stripes, task, model, hop));
    least = fmax(least, arrivals_cost(stripes, task, model));
    return fmax(seconds, least) + caucus_cost_between(model, 0, 1);
}
