/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather of blocks of very different lengths: a broadcast from every rank at once, each in n
 * parts over the circulant graph (J. L. Träff, "Optimal broadcast schedules in logarithmic time
 * with applications to broadcast, all-broadcast, reduction and all-reduction", arXiv 2407.18004).
 *
 *   round i = 0 … n - 2 + ⌈log2 p⌉, of phases of ⌈log2 p⌉ rounds k each
 *     rank r packs a part of each rank's block, an n-th of all, tells r + skip[k],
 *            hears r - skip[k], and unpacks
 *
 * Which parts of long blocks, each rank works out by itself for all their broadcasts
 * (circulant_pipeline.c). Short blocks are whole, as the last part of a broadcast, and need no more
 * than this: in the last phase, round k brings them to the ranks skip[k] to skip[k + 1] - 1 from
 * their roots, as the circulant allgather does. However the bytes are spread over the ranks, all
 * rounds are as long: a ring waits for the longest block in each of p - 1 rounds instead, and what
 * forwards whole blocks sends the longest ⌈log2 p⌉ times. Cost: n - 1 + ⌈log2 p⌉ rounds of an n-th
 * of all bytes, and two copies of what consists of several pieces. For large data of which few
 * ranks have most; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/allgather.h"
#include "plan/collective/circulant_pipeline.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

enum {
    GRAIN = 512,           /* bytes: what is shorter is not cut */
    PHASES = 8,            /* at most, of ⌈log2 p⌉ rounds */
    MOST_COPIES = 1 << 11, /* of parts of blocks, each way */
    UNPACKED = 2           /* pieces that travel by themselves */
};

/* What a rank sends, or receives, in a round: the same bytes of out at both ends. */
struct parcel {
    int64_t bytes, pieces;
    struct caucus_range *piece;
};

struct broadcasts {
    struct caucus_builder *builder;
    const struct caucus_blocks *all;
    struct caucus_circulant graph;
    int64_t parts, rounds;
    int32_t ranks, rank;
    int32_t longs, *root;             /* the ranks whose blocks are cut, ascending */
    struct caucus_pipeline *pipeline; /* of each of these */
    struct parcel sent, received;
};

static int64_t cut(int64_t length, int64_t parts, int64_t part) {
    return part < parts ? caucus_vector_cut(length, 1, parts, part) / GRAIN * GRAIN : length;
}

static bool is_cut(const struct broadcasts *broadcasts, int32_t root) {
    return broadcasts->parts > 1 && caucus_block_length(broadcasts->all, root) > GRAIN;
}

static void add(struct parcel *parcel, int64_t begin, int64_t end) {
    if (begin == end)
        return;
    parcel->bytes += end - begin;
    if (parcel->pieces > 0 && parcel->piece[parcel->pieces - 1].end == begin)
        parcel->piece[parcel->pieces - 1].end = end;
    else
        parcel->piece[parcel->pieces++] = (struct caucus_range){begin, end};
}

static void add_part(const struct broadcasts *broadcasts, struct parcel *parcel, int32_t root,
                     int64_t part) {
    int64_t length = caucus_block_length(broadcasts->all, root);
    int64_t begin = caucus_block_offset(broadcasts->all, root);
    if (part >= 0)
        add(parcel, begin + cut(length, broadcasts->parts, part),
            begin + cut(length, broadcasts->parts, part + 1));
}

/* Blocks that are not cut, of so many ranks from first on. */
static void add_whole(const struct broadcasts *broadcasts, struct parcel *parcel, int32_t first,
                      int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t root = caucus_circulant_on(broadcasts->ranks, first, i);
        int64_t begin = caucus_block_offset(broadcasts->all, root);
        if (!is_cut(broadcasts, root))
            add(parcel, begin, begin + caucus_block_length(broadcasts->all, root));
    }
}

/* The skip of a round. The first phase begins so late that the last round ends one. */
static int skip_of(const struct broadcasts *broadcasts, int64_t round) {
    int64_t phase = broadcasts->graph.rounds;
    return (int)((round + phase - broadcasts->rounds % phase) % phase);
}

static void find_parcels(struct broadcasts *broadcasts, int64_t round) {
    struct parcel *sent = &broadcasts->sent, *received = &broadcasts->received;
    const struct caucus_circulant *graph = &broadcasts->graph;
    sent->bytes = sent->pieces = received->bytes = received->pieces = 0;
    for (int32_t i = 0; i < broadcasts->longs; i++) {
        struct caucus_pipeline_round now =
            caucus_pipeline_round_at(&broadcasts->pipeline[i], round);
        add_part(broadcasts, sent, broadcasts->root[i], now.send);
        add_part(broadcasts, received, broadcasts->root[i], now.receive);
    }
    if (round < broadcasts->rounds - graph->rounds)
        return;
    int k = skip_of(broadcasts, round);
    int32_t ranks = broadcasts->ranks, rank = broadcasts->rank;
    int32_t count = graph->skip[k + 1] - graph->skip[k];
    add_whole(broadcasts, sent, caucus_circulant_back(ranks, rank, count - 1), count);
    add_whole(broadcasts, received, caucus_circulant_back(ranks, rank, graph->skip[k + 1] - 1),
              count);
}

/* Packs what is sent, or unpacks what was received, as a step. */
static void move_pieces(const struct broadcasts *broadcasts, const struct parcel *parcel,
                        struct caucus_place packed, bool sends) {
    for (int64_t i = 0; parcel->pieces > UNPACKED && i < parcel->pieces; i++) {
        struct caucus_place place = caucus_at(broadcasts->all->base, parcel->piece[i].begin);
        int64_t length = parcel->piece[i].end - parcel->piece[i].begin;
        caucus_emit_copy(broadcasts->builder, sends ? place : packed, sends ? packed : place,
                         length);
        packed.offset += length;
    }
    caucus_end_step(broadcasts->builder);
}

static void transfer(const struct broadcasts *broadcasts, const struct parcel *parcel, int32_t peer,
                     struct caucus_place packed, bool sends) {
    bool whole = parcel->pieces > UNPACKED;
    for (int64_t i = 0; i < (whole ? 1 : parcel->pieces); i++) {
        struct caucus_range piece =
            whole ? (struct caucus_range){0, parcel->bytes} : parcel->piece[i];
        struct caucus_place place = caucus_at(whole ? packed : broadcasts->all->base, piece.begin);
        caucus_emit_message(broadcasts->builder, sends, peer, place, piece.end - piece.begin);
    }
}

/* The most bytes of a message that is packed. */
static int64_t message_room(struct broadcasts *broadcasts) {
    const struct parcel *both[] = {&broadcasts->sent, &broadcasts->received};
    int64_t room = 0;
    for (int64_t round = 0; round < broadcasts->rounds; round++) {
        find_parcels(broadcasts, round);
        for (int i = 0; i < 2; i++)
            if (both[i]->pieces > UNPACKED && both[i]->bytes > room)
                room = both[i]->bytes;
    }
    return room;
}

static void emit_rounds(struct broadcasts *broadcasts) {
    struct caucus_builder *builder = broadcasts->builder;
    int32_t ranks = broadcasts->ranks, rank = broadcasts->rank;
    int64_t room = message_room(broadcasts);
    struct caucus_place packed = caucus_reserve_scratch(builder, room);
    struct caucus_place heard = caucus_reserve_scratch(builder, room);
    for (int64_t round = 0; round < broadcasts->rounds; round++) {
        int32_t skip = broadcasts->graph.skip[skip_of(broadcasts, round)];
        find_parcels(broadcasts, round);
        move_pieces(broadcasts, &broadcasts->sent, packed, true);
        transfer(broadcasts, &broadcasts->sent, caucus_circulant_on(ranks, rank, skip), packed,
                 true);
        transfer(broadcasts, &broadcasts->received, caucus_circulant_back(ranks, rank, skip), heard,
                 false);
        caucus_end_step(builder);
        move_pieces(broadcasts, &broadcasts->received, heard, false);
    }
}

/* So many that filling the pipeline takes little of the time, but not more than that; and few
 * enough that the copies of all blocks do not become endless. */
static int64_t parts_of(const struct caucus_task *task, int64_t bytes) {
    int rounds = caucus_cost_rounds(task->ranks);
    int64_t blocks = caucus_allgather_blocks(task, GRAIN);
    int64_t parts = caucus_vector_segments(bytes, 1, task->segment, rounds);
    int64_t most = blocks > 0 ? MOST_COPIES / blocks : PHASES * rounds;
    most = most < PHASES * rounds ? most : PHASES * rounds;
    parts = parts < most ? parts : most;
    return parts > 1 ? parts : 1;
}

/* Pieces are parts of long blocks, and what lies between these; where the circle ends, one more. */
static void reserve(struct broadcasts *broadcasts) {
    int32_t longs = 0;
    for (int32_t root = 0; root < broadcasts->ranks; root++)
        longs += is_cut(broadcasts, root);
    int64_t pieces = 2 * ((int64_t)longs + 1);
    struct caucus_builder *builder = broadcasts->builder;
    broadcasts->root = caucus_builder_array(builder, longs, sizeof *broadcasts->root, "broadcasts");
    broadcasts->pipeline =
        caucus_builder_array(builder, longs, sizeof *broadcasts->pipeline, "broadcasts");
    broadcasts->sent.piece =
        caucus_builder_array(builder, pieces, sizeof(struct caucus_range), "pieces");
    broadcasts->received.piece =
        caucus_builder_array(builder, pieces, sizeof(struct caucus_range), "pieces");
    if (builder->status)
        return;
    for (int32_t root = 0; root < broadcasts->ranks; root++) {
        if (!is_cut(broadcasts, root))
            continue;
        caucus_pipeline_init(&broadcasts->pipeline[broadcasts->longs], broadcasts->ranks, root,
                             broadcasts->rank, broadcasts->parts);
        broadcasts->root[broadcasts->longs++] = root;
    }
}

void caucus_allgatherv_circulant_pipelined(struct caucus_builder *builder,
                                           const struct caucus_task *task) {
    struct caucus_blocks all = caucus_allgather_begin(builder, task);
    struct broadcasts broadcasts = {
        .builder = builder,
        .all = &all,
        .ranks = task->ranks,
        .rank = task->rank,
        .parts = parts_of(task, caucus_blocks_sum(&all, 0, task->ranks)),
    };
    caucus_circulant_init(&broadcasts.graph, task->ranks);
    broadcasts.rounds = task->ranks > 1 ? broadcasts.parts - 1 + broadcasts.graph.rounds : 0;
    reserve(&broadcasts);
    if (!builder->status)
        emit_rounds(&broadcasts);
    free(broadcasts.root);
    free(broadcasts.pipeline);
    free(broadcasts.sent.piece);
    free(broadcasts.received.piece);
    caucus_blocks_free(&all);
}

double caucus_allgatherv_circulant_pipelined_cost(const struct caucus_task *task,
                                                  const struct caucus_model *model) {
    struct caucus_circulant graph;
    int64_t parts = parts_of(task, task->volume);
    double longs = parts > 1 ? caucus_allgather_blocks(task, GRAIN) : 0;
    if (longs == 0)
        return caucus_allgather_circulant_cost(task, model);
    caucus_circulant_init(&graph, task->ranks);
    int64_t rounds = parts - 1 + graph.rounds;
    double bytes = (double)task->volume / (double)rounds; /* of a round, on the average */
    double all = caucus_allgather_blocks(task, 0);
    double between = longs < all ? longs + 2 * graph.rounds : 0; /* pieces of the last phase */
    double moved = (longs * (double)parts + between) / (double)rounds;
    double copies = 0;
    if (all > UNPACKED)
        copies = 2 * (moved * model->operation + bytes * model->copy_byte);
    double each = (double)rounds / graph.rounds;
    double seconds = caucus_cost_copy(model, caucus_allgather_run(task, 1));
    for (int k = 0; k < graph.rounds; k++)
        seconds += each * (copies + caucus_cost_shift(task, model, graph.skip[k], bytes));
    return seconds;
}
