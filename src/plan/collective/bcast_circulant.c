/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast of n blocks over the circulant graph (J. L. Träff, "Optimal broadcast schedules in
 * logarithmic time with applications to broadcast, all-broadcast, reduction and all-reduction",
 * arXiv 2407.18004).
 *
 *   round i = 0 … n - 2 + ⌈log2 p⌉, of phases of ⌈log2 p⌉ rounds k each
 *     rank r receives a block from r - skip[k], and sends an earlier one to r + skip[k]
 *
 * Which blocks, each rank works out by itself (circulant_pipeline.c); it receives each one once.
 * Cost: n - 1 + ⌈log2 p⌉ rounds of one n-th: the fewest that there can be. For large data; any p.
 */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant_pipeline.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

void caucus_bcast_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_bcast_by_circulant(builder, task->root, caucus_vector_out, task->bytes, task->segment);
}

struct block {
    struct caucus_place place;
    int64_t length;
};

static struct block block_of(struct caucus_place data, int64_t bytes, int64_t blocks,
                             int64_t block) {
    int64_t begin = caucus_vector_cut(bytes, 1, blocks, block);
    int64_t end = caucus_vector_cut(bytes, 1, blocks, block + 1);
    return (struct block){caucus_at(data, begin), end - begin};
}

void caucus_bcast_by_circulant(struct caucus_builder *builder, int32_t root,
                               struct caucus_place data, int64_t bytes, int64_t segment) {
    int32_t size = builder->group.size;
    int64_t blocks = caucus_vector_segments(bytes, 1, segment, caucus_cost_rounds(size));
    struct caucus_pipeline pipeline;
    caucus_pipeline_init(&pipeline, size, root, builder->group.rank, blocks);
    for (int64_t i = 0; i < pipeline.rounds; i++) {
        struct caucus_pipeline_round round = caucus_pipeline_round_at(&pipeline, i);
        if (round.send >= 0) {
            struct block block = block_of(data, bytes, blocks, round.send);
            caucus_emit_send(builder, round.to, block.place, block.length);
        }
        if (round.receive >= 0) {
            struct block block = block_of(data, bytes, blocks, round.receive);
            caucus_emit_receive(builder, round.from, block.place, block.length);
        }
        caucus_end_step(builder);
    }
}

double caucus_bcast_circulant_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    int64_t blocks =
        caucus_vector_segments(task->volume, 1, task->segment, caucus_cost_rounds(task->ranks));
    return caucus_pipeline_cost(task, model, blocks, 1, false);
}
