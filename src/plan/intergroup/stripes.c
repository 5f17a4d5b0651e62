/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/stripes.h"

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
static int lanes_init(struct caucus_lanes *lanes, const struct caucus_group_blocks *side,
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

static int compare(const void *left, const void *right) {
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void find_heights(struct caucus_lanes *lanes, int64_t length, int64_t height) {
    int32_t count = 0, kept = 0;
    for (int32_t i = 0; i < lanes->ranks; i++)
        if (lanes->start[i] % height != 0 && lanes->start[i] < length)
            lanes->height[count++] = lanes->start[i] % height;
    qsort(lanes->height, (size_t)count, sizeof *lanes->height, compare);
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
 * are some. */
static void choose_chunk(struct caucus_stripes *stripes, double latency, int64_t segment,
                         int64_t least_fill) {
    int64_t chunk = stripes->height, fill = larger(stripes->fill, least_fill);
    if (fill > 0)
        chunk = segment ? segment : (int64_t)sqrt(latency * (double)stripes->length / (double)fill);
    chunk = smaller(larger(chunk, segment ? 1 : SHORTEST_CHUNK), stripes->height);
    stripes->chunk = whole(stripes, divide_up(stripes->height, divide_up(stripes->height, chunk)));
    stripes->piece = stripes->chunk;
}

/* Where there is data, the line is as long as it must be. */
static int init_lanes(struct caucus_stripes *stripes, const struct caucus_task *task,
                      const struct caucus_group_blocks *own,
                      const struct caucus_group_blocks *other) {
    int64_t totals[] = {caucus_group_total(own), caucus_group_total(other)};
    *stripes = (struct caucus_stripes){.element = task->element > 0 ? task->element : 1};
    stripes->reduces = caucus_task_reduces(task->collective);
    if (totals[0] < 0 || totals[1] < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the blocks of a group have more than 2^60 bytes");
    int status = lanes_init(&stripes->lanes[own->first > 0], own, 0);
    if (!status)
        status = lanes_init(&stripes->lanes[other->first > 0], other, 0);
    if (status)
        caucus_stripes_free(stripes);
    else
        stripes->length = larger(totals[0], totals[1]);
    return status;
}

static int init_ranks(struct caucus_stripes *stripes, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    return init_lanes(stripes, task, &own, &other);
}

/* Takes light ranks together where that is worth more than they cost: in a single stripe, as lanes
 * must not be longer than that. */
static int lighten(struct caucus_stripes *stripes, const struct caucus_group_blocks side[2],
                   double latency) {
    struct caucus_stripes lighter = *stripes;
    int64_t light = stripes->length / CAUCUS_STRIPES_LIGHT;
    if (stripes->count > 1 || stripes->reduces || light == 0)
        return CAUCUS_OK;
    lighter.lanes[0] = lighter.lanes[1] = (struct caucus_lanes){0};
    int status = lanes_init(&lighter.lanes[side[0].first > 0], &side[0], light);
    if (!status)
        status = lanes_init(&lighter.lanes[side[1].first > 0], &side[1], light);
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

int caucus_stripes_init(struct caucus_stripes *stripes, const struct caucus_task *task,
                        double latency, int64_t segment) {
    struct caucus_group_blocks side[] = {caucus_intergroup_own(task),
                                         caucus_intergroup_other(task)};
    int status = init_ranks(stripes, task);
    if (status || stripes->length == 0)
        return status;
    choose_stripes(stripes, latency);
    status = lighten(stripes, side, latency);
    if (status)
        caucus_stripes_free(stripes);
    else
        choose_chunk(stripes, latency, segment, 0);
    return status;
}

int caucus_stripes_init_even(struct caucus_stripes *stripes, const struct caucus_task *task) {
    int status = init_ranks(stripes, task);
    if (status || stripes->length == 0)
        return status;
    const struct caucus_lanes *lanes = stripes->lanes;
    stripes->count = lanes[0].ranks;
    stripes->height = larger(longest_block(&lanes[0]), longest_block(&lanes[1]));
    stripes->chunk = stripes->piece = stripes->height;
    stripes->length = stripes->count * stripes->height;
    place_all(stripes);
    return CAUCUS_OK;
}

/* Nodes of the first group come first, as nodes are numbered by their lowest ranks. */
static int32_t nodes_of_first(const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    int32_t nodes = 0;
    while (nodes < map->nodes && map->rank_at[map->first[nodes]] < task->first_group)
        nodes++;
    return nodes;
}

/* The blocks of a side's nodes; where those of its ranks begin goes to offset. */
static void sum_nodes(const struct caucus_node_map *map, const struct caucus_group_blocks *side,
                      struct caucus_group_blocks *nodes, int64_t *length, int64_t *offset) {
    int64_t begin = 0;
    for (int32_t node = nodes->first; node < nodes->first + nodes->ranks; node++) {
        for (int32_t i = map->first[node]; i < map->first[node + 1]; i++) {
            int64_t block = caucus_group_block(side, map->rank_at[i] - side->first);
            offset[map->rank_at[i]] = begin;
            length[node] += block;
            begin += block;
        }
    }
    nodes->length = length + nodes->first;
}

static int32_t team_of(const struct caucus_node_map *map) {
    return map->largest >= TEAM * TURNS ? TEAM : 1;
}

int caucus_stripes_init_nodes(struct caucus_stripes *stripes, const struct caucus_task *task,
                              double latency, int64_t segment) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    int32_t first = nodes_of_first(task);
    *stripes = (struct caucus_stripes){0};
    if (!caucus_intergroup_nodes_apart(task))
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "a node has ranks of both groups");
    if (caucus_group_total(&own) < 0 || caucus_group_total(&other) < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the blocks of a group have more than 2^60 bytes");
    int64_t *length = caucus_array(map->nodes, sizeof *length);
    int64_t *offset = caucus_array((int64_t)task->ranks + 1, sizeof *offset);
    int32_t team = team_of(map), turns = map->largest / team;
    bool second = own.first > 0;
    struct caucus_group_blocks side[] = {{0, first, 0, NULL}, {first, map->nodes - first, 0, NULL}};
    int status = length && offset ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    latency *= NODE_LATENCY / (double)turns;
    if (!status) {
        sum_nodes(map, &own, &side[second], length, offset);
        sum_nodes(map, &other, &side[!second], length, offset);
        status = init_lanes(stripes, task, &side[0], &side[1]);
    }
    stripes->nodes = (struct caucus_stripes_nodes){.map = map, .offset = offset};
    if (!status && stripes->length > 0) {
        choose_stripes(stripes, latency);
        status = lighten(stripes, side, latency);
    }
    free(length);
    if (status)
        caucus_stripes_free(stripes);
    if (status || stripes->length == 0)
        return status;
    choose_chunk(stripes, latency, segment,
                 larger(stripes->lanes[0].ranks, stripes->lanes[1].ranks) - 1);
    stripes->piece = whole(stripes, divide_up(stripes->chunk, team));
    return CAUCUS_OK;
}

int32_t caucus_stripes_carrier(const struct caucus_stripes *stripes,
                               const struct caucus_lanes *lanes, int32_t position, int64_t x) {
    const struct caucus_node_map *map = stripes->nodes.map;
    int32_t index = lanes->first + lanes->order[position];
    if (!map)
        return index;
    int64_t above = x % stripes->height, team = divide_up(stripes->chunk, stripes->piece);
    int64_t turn = x / stripes->height + above / stripes->chunk;
    int64_t local = turn * team + above % stripes->chunk / stripes->piece;
    return map->rank_at[map->first[index] + local % caucus_node_size(map, index)];
}

void caucus_stripes_free(struct caucus_stripes *stripes) {
    for (int group = 0; group < 2; group++)
        lanes_free(&stripes->lanes[group]);
    free(stripes->nodes.offset);
    *stripes = (struct caucus_stripes){0};
}

int32_t caucus_last_begun(const int64_t *begin, int32_t count, int64_t x) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (begin[middle] <= x)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int32_t caucus_lane_at(const struct caucus_lanes *lanes, int64_t x) {
    return caucus_last_begun(lanes->start, lanes->ranks, x);
}

int64_t caucus_lane_data(const struct caucus_lanes *lanes, int64_t x) {
    if (x >= lanes->start[lanes->ranks])
        return lanes->sum[lanes->ranks];
    int32_t i = caucus_lane_at(lanes, x);
    int64_t block = lanes->sum[i + 1] - lanes->sum[i];
    return lanes->sum[i] + smaller(x - lanes->start[i], block);
}
