/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction of n blocks: the broadcast over the circulant graph, backwards (J. L. Träff, "Optimal
 * broadcast schedules in logarithmic time with applications to broadcast, all-broadcast, reduction
 * and all-reduction", arXiv 2407.18004).
 *
 *   round i = n - 2 + ⌈log2 p⌉ … 0 of the broadcast
 *     rank r sends what it has of the block that it would receive, to where that would come from,
 *     and adds what it gets of the block that it would send
 *
 * Long blocks travel in two parts, and one of them is added while the other one is on its way.
 *
 * Cost: n - 1 + ⌈log2 p⌉ rounds of one n-th. For large data and commutative operations; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant_pipeline.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

enum { SHORTEST_PART = 8 << 10 };

/* A vector and what was added to it so far. Blocks are counted through all parts of all rounds. */
struct sum {
    struct caucus_place in, work, scratch[2];
    int64_t bytes, element, blocks;
    bool bare;        /* a root that has no operand: what comes first is the sum */
    bool *begun;      /* the sum of a block is in work; else it is still in's */
    int64_t waits;    /* the block that came last and is not yet added; -1 if there is none */
    bool waits_first; /* nothing had come before it, so it is in work itself */
    int turn;         /* which scratch the next one comes to */
};

static struct caucus_place block_place(const struct sum *sum, struct caucus_place base,
                                       int64_t block) {
    return caucus_at(base, caucus_vector_cut(sum->bytes, sum->element, sum->blocks, block));
}

static int64_t block_length(const struct sum *sum, int64_t block) {
    return block_place(sum, sum->in, block + 1).offset - block_place(sum, sum->in, block).offset;
}

static void add_what_waits(struct caucus_builder *builder, struct sum *sum) {
    if (sum->waits < 0)
        return;
    struct caucus_place in = block_place(sum, sum->in, sum->waits);
    if (!sum->bare || !sum->waits_first)
        caucus_emit_reduce(builder, sum->waits_first ? in : sum->scratch[1 - sum->turn],
                           block_place(sum, sum->work, sum->waits), block_length(sum, sum->waits));
    sum->waits = -1;
}

/* What came before is added meanwhile: it is of another part. */
static void emit_part(struct caucus_builder *builder, struct sum *sum, int32_t to, int64_t sent,
                      int32_t from, int64_t received) {
    if (sent >= 0)
        caucus_emit_send(builder, to,
                         block_place(sum, sum->begun[sent] ? sum->work : sum->in, sent),
                         block_length(sum, sent));
    add_what_waits(builder, sum);
    if (received >= 0) {
        sum->waits = received;
        sum->waits_first = !sum->begun[received];
        sum->begun[received] = true;
        caucus_emit_receive(builder, from,
                            sum->waits_first ? block_place(sum, sum->work, received)
                                             : sum->scratch[sum->turn],
                            block_length(sum, received));
        sum->turn = 1 - sum->turn;
    }
    caucus_end_step(builder);
}

static void emit_rounds(struct caucus_builder *builder, struct sum *sum,
                        const struct caucus_pipeline *pipeline, int64_t parts) {
    for (int64_t i = pipeline->rounds - 1; i >= 0; i--) {
        struct caucus_pipeline_round round = caucus_pipeline_round_at(pipeline, i);
        for (int64_t part = 0; part < parts; part++) {
            emit_part(builder, sum, round.from,
                      round.receive < 0 ? -1 : round.receive * parts + part, round.to,
                      round.send < 0 ? -1 : round.send * parts + part);
            if (parts == 1)
                add_what_waits(builder, sum);
            caucus_end_step(builder);
        }
    }
    add_what_waits(builder, sum);
    caucus_end_step(builder);
}

/* Two parts pay where they are long. */
static int64_t parts_of(int64_t bytes, int64_t blocks) {
    return bytes / blocks >= 2 * SHORTEST_PART ? 2 : 1;
}

static void reduce(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                   struct caucus_place out, int64_t bytes, int64_t element, int64_t segment,
                   bool bare) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    int64_t blocks = caucus_vector_segments(bytes, element, segment, caucus_cost_rounds(size));
    int64_t parts = parts_of(bytes, blocks);
    struct sum sum = {in, out, .bytes = bytes, .element = element, .blocks = blocks * parts};
    sum.bare = bare && rank == root;
    struct caucus_pipeline pipeline;
    sum.begun = caucus_builder_array(builder, sum.blocks, sizeof *sum.begun, "blocks");
    if (!sum.begun)
        return;
    if (rank != root)
        sum.work = caucus_reserve_scratch(builder, bytes);
    for (int64_t block = 0; block < sum.blocks; block++)
        sum.begun[block] = caucus_same_place(in, sum.work);
    /* Cuts are rounded down, so the last block is as long as any. */
    for (int64_t i = 0; i < 2; i++)
        sum.scratch[i] = i < parts
                             ? caucus_reserve_scratch(builder, block_length(&sum, sum.blocks - 1))
                             : sum.scratch[0];
    sum.waits = -1;
    if (size == 1)
        caucus_emit_copy(builder, in, out, bytes);
    caucus_end_step(builder);
    caucus_pipeline_init(&pipeline, size, root, rank, blocks);
    emit_rounds(builder, &sum, &pipeline, parts);
    free(sum.begun);
}

void caucus_reduce_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    reduce(builder, task->root, caucus_vector_in(task), caucus_vector_out, task->bytes,
           task->element, task->segment, false);
}

void caucus_reduce_by_circulant_to(struct caucus_builder *builder, int32_t root,
                                   struct caucus_place in, struct caucus_place out, int64_t bytes,
                                   int64_t element, int64_t segment) {
    reduce(builder, root, in, out, bytes, element, segment, true);
}

double caucus_reduce_circulant_cost(const struct caucus_task *task,
                                    const struct caucus_model *model) {
    int64_t blocks = caucus_vector_segments(task->volume, task->element, task->segment,
                                            caucus_cost_rounds(task->ranks));
    return caucus_pipeline_cost(task, model, blocks, parts_of(task->volume, blocks), true);
}
