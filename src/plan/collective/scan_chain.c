/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive scan along the chain of ranks, in s segments, so that all ranks have work.
 *
 *   round t = 0, 1, …   rank r gets segment t - r + 1 of the result of r - 1, puts it before its
 * own operand, and meanwhile sends segment t - r on to r + 1
 *
 * Cost: p - 2 + s rounds of one s-th, every byte sent once. For large data; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/chain.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_scan_by_chain(builder, caucus_vector_in(task), caucus_vector_out, task->bytes,
                         task->element, task->segment, task->commutative);
}

/* A commutative operation lets the operand be put before what has come to out, without a copy. */
struct vectors {
    struct caucus_chain chain;
    struct caucus_place in, out, came[2];
    bool to_out;
};

static struct caucus_place comes_to(const struct vectors *vectors, int64_t i) {
    return vectors->to_out ? caucus_chain_place(&vectors->chain, vectors->out, i)
                           : vectors->came[i & 1];
}

static void combine(struct caucus_builder *builder, const struct vectors *vectors, int64_t i) {
    struct caucus_place in = caucus_chain_place(&vectors->chain, vectors->in, i);
    caucus_emit_reduce(builder, vectors->to_out ? in : vectors->came[i & 1],
                       caucus_chain_place(&vectors->chain, vectors->out, i),
                       caucus_chain_length(&vectors->chain, i));
}

static void emit_others(struct caucus_builder *builder, const struct vectors *vectors) {
    const struct caucus_chain *chain = &vectors->chain;
    int32_t size = builder->group.size, rank = builder->group.rank;
    int64_t lag = chain->overlaps ? 2 : 1;
    for (int64_t i = 0; i < chain->segments + lag; i++) {
        int64_t length = caucus_chain_length(chain, i);
        caucus_emit_receive(builder, rank - 1, comes_to(vectors, i), length);
        if (rank + 1 < size)
            caucus_emit_send(builder, rank + 1, caucus_chain_place(chain, vectors->out, i - lag),
                             caucus_chain_length(chain, i - lag));
        if (!vectors->to_out)
            caucus_emit_copy(builder, caucus_chain_place(chain, vectors->in, i),
                             caucus_chain_place(chain, vectors->out, i), length);
        if (chain->overlaps)
            combine(builder, vectors, i - 1);
        caucus_end_step(builder);
        if (!chain->overlaps)
            combine(builder, vectors, i);
        caucus_end_step(builder);
    }
}

static void emit_first(struct caucus_builder *builder, const struct vectors *vectors) {
    const struct caucus_chain *chain = &vectors->chain;
    for (int64_t i = 0; i < chain->segments; i++) {
        struct caucus_place operand = caucus_chain_place(chain, vectors->in, i);
        int64_t length = caucus_chain_length(chain, i);
        if (builder->group.size > 1)
            caucus_emit_send(builder, 1, operand, length);
        caucus_emit_copy(builder, operand, caucus_chain_place(chain, vectors->out, i), length);
        caucus_end_step(builder);
    }
}

void caucus_scan_by_chain(struct caucus_builder *builder, struct caucus_place in,
                          struct caucus_place out, int64_t bytes, int64_t element, int64_t segment,
                          bool commutative) {
    struct vectors vectors = {
        caucus_chain_of(builder->group.size, bytes, element, segment, commutative),
        in,
        out,
        .to_out = commutative && !caucus_same_place(in, out),
    };
    if (builder->group.rank == 0) {
        emit_first(builder, &vectors);
        return;
    }
    for (int i = 0; i < 2 && !vectors.to_out; i++)
        vectors.came[i] = caucus_reserve_scratch(builder, caucus_chain_longest(&vectors.chain));
    emit_others(builder, &vectors);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_chain_cost(task, model, task->commutative);
}

const struct caucus_algorithm caucus_scan_chain = {
    .collective = CAUCUS_SCAN,
    .name = "chain",
    .summary = "p - 2 + s rounds of an s-th of the data to the next rank, every byte once",
    .emit = emit,
    .cost = cost,
};
