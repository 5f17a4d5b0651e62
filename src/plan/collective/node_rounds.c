/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_rounds.h"

#include "base/status.h"

#include <stdlib.h>

enum { LEAST_PIECE = 512 };

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

void caucus_node_rounds_init(struct caucus_node_rounds *rounds, struct caucus_builder *builder,
                             int64_t blocks) {
    *rounds = (struct caucus_node_rounds){
        .blocks = blocks,
        .block = caucus_builder_array(builder, blocks, sizeof *rounds->block, "blocks of a node"),
        .element = 1,
        .least = LEAST_PIECE,
    };
    if (!rounds->block)
        rounds->blocks = 0;
}

void caucus_node_rounds_free(struct caucus_node_rounds *rounds) {
    free(rounds->block);
    *rounds = (struct caucus_node_rounds){0};
}

/* Units are what their blocks say, or every block is one. */
static int64_t unit_end(const struct caucus_node_rounds *rounds, int64_t begin, bool by_block) {
    int64_t end = begin + 1;
    while (!by_block && end < rounds->blocks &&
           rounds->block[end].unit == rounds->block[begin].unit)
        end++;
    return end;
}

/* What the blocks of a unit take in a buffer, if no more than piece of each. */
static int64_t unit_bytes(const struct caucus_node_rounds *rounds, int64_t begin, int64_t end,
                          int64_t piece) {
    int64_t sum = 0;
    for (int64_t i = begin; i < end && sum <= rounds->room; i++)
        sum += smaller(rounds->block[i].bytes, piece);
    return sum;
}

static int64_t largest_unit(const struct caucus_node_rounds *rounds, bool by_block, int64_t piece) {
    int64_t largest = 0;
    for (int64_t end, begin = 0; begin < rounds->blocks; begin = end) {
        end = unit_end(rounds, begin, by_block);
        int64_t bytes = unit_bytes(rounds, begin, end, piece);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/* The largest piece with which every unit is within room, a multiple of element. */
static int64_t fitting_piece(const struct caucus_node_rounds *rounds, bool by_block,
                             int64_t longest, int64_t room) {
    int64_t fits = 0, most = rounds->most < rounds->element ? rounds->element : rounds->most;
    most = smaller(longest, most) / rounds->element;
    while (fits < most) {
        int64_t middle = fits + (most - fits + 1) / 2;
        if (largest_unit(rounds, by_block, middle * rounds->element) <= room)
            fits = middle;
        else
            most = middle - 1;
    }
    if (rounds->element == 1 && fits > CAUCUS_NODE_ALIGNMENT)
        return fits / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
    return fits * rounds->element;
}

/* How many rounds the longest block of a unit takes. */
static int64_t unit_rounds(const struct caucus_node_rounds *rounds, int64_t begin, int64_t end) {
    int64_t most = 0;
    for (int64_t i = begin; i < end; i++)
        most = rounds->block[i].bytes > most ? rounds->block[i].bytes : most;
    return (most + rounds->piece - 1) / rounds->piece;
}

/* Gives units their rounds and blocks their slots: as many units as there is room for in a round,
 * but one that takes several rounds has these for itself. */
static void deal(struct caucus_node_rounds *rounds, bool by_block, int64_t room) {
    int64_t round = 0, used = 0;
    for (int64_t end, begin = 0; begin < rounds->blocks; begin = end) {
        end = unit_end(rounds, begin, by_block);
        int64_t bytes = unit_bytes(rounds, begin, end, rounds->piece);
        int64_t takes = unit_rounds(rounds, begin, end);
        if (used > 0 && (takes > 1 || rounds->rounds > round + 1 || used + bytes > room)) {
            round = rounds->rounds;
            used = 0;
        }
        for (int64_t i = begin; i < end; i++) {
            rounds->block[i].start = round;
            rounds->block[i].slot = used;
            used += smaller(rounds->block[i].bytes, rounds->piece);
        }
        int64_t last = round + takes;
        rounds->rounds = last > rounds->rounds ? last : rounds->rounds;
        rounds->buffer_bytes = used > rounds->buffer_bytes ? used : rounds->buffer_bytes;
    }
    rounds->buffer_bytes = caucus_node_slot_bytes(rounds->buffer_bytes);
}

static void check_rounds(struct caucus_node_rounds *rounds, struct caucus_builder *builder) {
    if (rounds->rounds < CAUCUS_FLAG_LIMIT - 1)
        return;
    caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE,
                        "%lld rounds through %lld bytes of node memory are more than a flag can "
                        "count",
                        (long long)rounds->rounds, (long long)rounds->room);
    rounds->rounds = 0;
}

static bool has_units(const struct caucus_node_rounds *rounds) {
    return rounds->block[0].unit != rounds->block[rounds->blocks - 1].unit;
}

/* From the fewest rounds to the least room: all at once, whole units, pieces of the blocks of a
 * unit, whole blocks, pieces of one block. */
void caucus_node_rounds_plan(struct caucus_node_rounds *rounds, struct caucus_builder *builder) {
    int64_t sum = 0, longest = 0;
    int64_t room =
        rounds->room / CAUCUS_NODE_BUFFERS / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
    for (int64_t i = 0; i < rounds->blocks; i++) {
        int64_t bytes = rounds->block[i].bytes;
        longest = bytes > longest ? bytes : longest;
        sum = sum > rounds->room ? sum : sum + bytes;
    }
    if (longest == 0)
        return;
    if (rounds->most == 0)
        rounds->most = caucus_node_piece(longest);
    bool by_block = false;
    if (caucus_node_slot_bytes(sum) <= rounds->room &&
        (longest <= rounds->most || longest <= rounds->element)) {
        room = caucus_node_slot_bytes(sum);
        rounds->piece = longest;
    } else if (has_units(rounds) && largest_unit(rounds, false, longest) <= room) {
        rounds->piece = longest;
    } else {
        rounds->piece = fitting_piece(rounds, false, longest, room);
        by_block = rounds->piece < smaller(longest, smaller(rounds->most, rounds->least));
        if (by_block)
            rounds->piece = fitting_piece(rounds, true, longest, room);
    }
    if (rounds->piece == 0)
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE,
                            "%lld bytes of node memory are too few: an element has %lld",
                            (long long)rounds->room, (long long)rounds->element);
    else
        deal(rounds, by_block, room);
    check_rounds(rounds, builder);
}

/* How many blocks start before a round; their starts do not fall. */
static int64_t started_before(const struct caucus_node_rounds *rounds, int64_t round) {
    int64_t low = 0, high = rounds->blocks;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (rounds->block[middle].start < round)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct caucus_round_blocks caucus_round_blocks(const struct caucus_node_rounds *rounds,
                                               int64_t round) {
    int64_t end = started_before(rounds, round + 1);
    int64_t start = end > 0 ? rounds->block[end - 1].start : 0;
    return (struct caucus_round_blocks){started_before(rounds, start), end};
}
