/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce around a ring: p equal blocks pass by, and are added to on the first time round
 * (P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", J. Parallel and Distributed Computing 2009).
 *
 *   round k = 1 … p-1   rank r sends block r - k to r + 1, gets block r - k - 1, adds its own
 *   round k = 1 … p-1   rank r sends block r - k + 1 to r + 1, gets block r - k
 *
 * Cost: 2 (p - 1) rounds of one block, every byte sent twice, to the next rank only: where nodes
 * are blocks of ranks, one rank of each sends out of it. For large data and commutative operations.
 */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

#include <stddef.h>

/* Long blocks go round in two parts: one of them is added while the other one comes. */
enum { SHORTEST_PART = 32 << 10 };

static int64_t parts_of(int64_t bytes, int32_t size) {
    return bytes / size >= 2 * SHORTEST_PART ? 2 : 1;
}

struct ring {
    struct caucus_place in, out, scratch[2];
    struct caucus_cuts cuts; /* blocks */
    int64_t parts;
};

static struct caucus_range block_of(const struct ring *ring, int32_t block) {
    return (struct caucus_range){caucus_cut(&ring->cuts, block),
                                 caucus_cut(&ring->cuts, block + 1)};
}

static struct caucus_range part_of(const struct ring *ring, int32_t block, int64_t part) {
    return caucus_vector_piece(block_of(ring, block), ring->cuts.element, ring->parts, part);
}

/* Whatever comes is new to out, unless in is there. */
static struct caucus_place comes_to(const struct ring *ring, int64_t part,
                                    struct caucus_range range) {
    return caucus_same_place(ring->in, ring->out) ? ring->scratch[part]
                                                  : caucus_at(ring->out, range.begin);
}

static void add(struct caucus_builder *builder, const struct ring *ring, int32_t round,
                int64_t part) {
    int32_t size = builder->group.size;
    int32_t block =
        caucus_circulant_back(size, caucus_circulant_back(size, builder->group.rank, round), 1);
    struct caucus_range range = part_of(ring, block, part);
    bool in_place = caucus_same_place(ring->in, ring->out);
    caucus_emit_reduce(builder, in_place ? ring->scratch[part] : caucus_at(ring->in, range.begin),
                       caucus_at(ring->out, range.begin), range.end - range.begin);
}

static void add_around(struct caucus_builder *builder, const struct ring *ring) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    for (int32_t round = 1; round < size; round++) {
        int32_t passed = caucus_circulant_back(size, rank, round);
        int32_t coming = caucus_circulant_back(size, passed, 1);
        for (int64_t part = 0; part < ring->parts; part++) {
            struct caucus_range going = part_of(ring, passed, part);
            struct caucus_range got = part_of(ring, coming, part);
            caucus_emit_send(builder, caucus_circulant_on(size, rank, 1),
                             caucus_at(round == 1 ? ring->in : ring->out, going.begin),
                             going.end - going.begin);
            caucus_emit_receive(builder, caucus_circulant_back(size, rank, 1),
                                comes_to(ring, part, got), got.end - got.begin);
            if (part > 0)
                add(builder, ring, round, part - 1);
            else if (round > 1 && ring->parts > 1)
                add(builder, ring, round - 1, ring->parts - 1);
            caucus_end_step(builder);
        }
        if (ring->parts == 1 || round == size - 1)
            add(builder, ring, round, ring->parts - 1);
        caucus_end_step(builder);
    }
}

static void pass_around(struct caucus_builder *builder, const struct ring *ring) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    for (int32_t round = 0; round < size - 1; round++) {
        int32_t passed = caucus_circulant_back(size, rank, round);
        int32_t coming = caucus_circulant_back(size, passed, 1);
        struct caucus_range going = block_of(ring, passed), got = block_of(ring, coming);
        caucus_emit_send(builder, caucus_circulant_on(size, rank, 1),
                         caucus_at(ring->out, going.begin), going.end - going.begin);
        caucus_emit_receive(builder, caucus_circulant_back(size, rank, 1),
                            caucus_at(ring->out, got.begin), got.end - got.begin);
        caucus_end_step(builder);
    }
}

void caucus_allreduce_ring(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = caucus_vector_in(task), out = caucus_vector_out;
    int64_t bytes = task->bytes;
    int32_t size = builder->group.size;
    struct ring ring = {in, out, {in}, {bytes, task->element, size, NULL}, parts_of(bytes, size)};
    /* Cuts are rounded down, so the last block is as long as any. */
    for (int64_t i = 0; caucus_same_place(in, out) && i < ring.parts; i++)
        ring.scratch[i] = caucus_reserve_scratch(builder, bytes - caucus_cut(&ring.cuts, size - 1));
    if (size == 1)
        caucus_emit_copy(builder, in, out, bytes);
    caucus_end_step(builder);
    add_around(builder, &ring);
    pass_around(builder, &ring);
}

double caucus_allreduce_ring_cost(const struct caucus_task *task,
                                  const struct caucus_model *model) {
    double parts = (double)parts_of(task->volume, task->ranks);
    double block = (double)task->volume / task->ranks;
    double message = caucus_cost_shift(task, model, 1, block / parts);
    double reduce = caucus_cost_reduce(model, block / parts);
    double overlapped = parts * (message > reduce ? message : reduce);
    return (task->ranks - 1) *
           (caucus_cost_shift(task, model, 1, block) + (parts > 1 ? overlapped : message + reduce));
}
