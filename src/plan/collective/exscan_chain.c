/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive scan along the chain of ranks, in s segments, so that all ranks have work.
 *
 *   round t = 0, 1, …   rank r gets segment t - r + 1 of its result from r - 1; then it puts it
 *                       before its own operand, and sends segment t - r of that to r + 1
 *
 * Cost: p - 2 + s rounds of one s-th, every byte sent once. For large data; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/chain.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_exscan_by_chain(builder, caucus_vector_in(task), caucus_vector_out, task->bytes,
                           task->element, task->segment);
}

/* Of segments that are copied, are combined and are sent. */
enum { SUMS = 3 };

struct vectors {
    struct caucus_chain chain;
    struct caucus_place in, out, sums[SUMS];
};

static void emit_first(struct caucus_builder *builder, const struct vectors *vectors) {
    const struct caucus_chain *chain = &vectors->chain;
    for (int64_t i = 0; i < chain->segments && builder->group.size > 1; i++) {
        caucus_emit_send(builder, 1, caucus_chain_place(chain, vectors->in, i),
                         caucus_chain_length(chain, i));
        caucus_end_step(builder);
    }
}

/* The operand of a segment is copied before the result takes its place, and while another segment
 * comes. */
static void emit_inner(struct caucus_builder *builder, const struct vectors *vectors) {
    const struct caucus_chain *chain = &vectors->chain;
    int32_t rank = builder->group.rank;
    caucus_emit_copy(builder, vectors->in, vectors->sums[0], caucus_chain_length(chain, 0));
    caucus_end_step(builder);
    for (int64_t i = 0; i <= chain->segments; i++) {
        struct caucus_place result = caucus_chain_place(chain, vectors->out, i);
        int64_t length = caucus_chain_length(chain, i);
        caucus_emit_receive(builder, rank - 1, result, length);
        caucus_emit_send(builder, rank + 1, vectors->sums[(i + SUMS - 1) % SUMS],
                         caucus_chain_length(chain, i - 1));
        caucus_emit_copy(builder, caucus_chain_place(chain, vectors->in, i + 1),
                         vectors->sums[(i + 1) % SUMS], caucus_chain_length(chain, i + 1));
        caucus_end_step(builder);
        caucus_emit_reduce(builder, result, vectors->sums[i % SUMS], length);
        caucus_end_step(builder);
    }
}

static void emit_last(struct caucus_builder *builder, const struct vectors *vectors) {
    const struct caucus_chain *chain = &vectors->chain;
    int32_t rank = builder->group.rank;
    for (int64_t i = 0; i < chain->segments; i++) {
        caucus_emit_receive(builder, rank - 1, caucus_chain_place(chain, vectors->out, i),
                            caucus_chain_length(chain, i));
        caucus_end_step(builder);
    }
}

void caucus_exscan_by_chain(struct caucus_builder *builder, struct caucus_place in,
                            struct caucus_place out, int64_t bytes, int64_t element,
                            int64_t segment) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct vectors vectors = {caucus_chain_of(size, bytes, element, segment, false), in, out, {in}};
    if (rank == 0) {
        emit_first(builder, &vectors);
    } else if (rank == size - 1) {
        emit_last(builder, &vectors);
    } else {
        for (int i = 0; i < SUMS; i++)
            vectors.sums[i] = caucus_reserve_scratch(builder, caucus_chain_longest(&vectors.chain));
        emit_inner(builder, &vectors);
    }
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_chain_cost(task, model, false);
}

const struct caucus_algorithm caucus_exscan_chain = {
    .collective = CAUCUS_EXSCAN,
    .name = "chain",
    .summary = "p - 2 + s rounds of an s-th of the data to the next rank, every byte once",
    .emit = emit,
    .cost = cost,
};
