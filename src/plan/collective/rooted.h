/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers and scatters are each other's mirror: one function emits both, and says by gathers which
 * way blocks go, to the root or from it. */
#ifndef CAUCUS_PLAN_COLLECTIVE_ROOTED_H
#define CAUCUS_PLAN_COLLECTIVE_ROOTED_H

#include "plan/collective/blocks.h"
#include "plan/collective/task.h"
#include "plan/machine/model.h"

static inline bool caucus_gathers(const struct caucus_task *task) {
    return task->collective == CAUCUS_GATHER || task->collective == CAUCUS_GATHERV;
}

/* How many times its bytes a message along a tree costs. Those to all children share the sender's
 * card: by the time that the longest is there, half of the others has gone, too, which are as long
 * together. Those to a parent come one after the other; some share its card even so, as was
 * measured, which is worth it to go straight unless the root's memory might fill with what it has
 * not yet asked for. */
static inline double caucus_rooted_sharing(const struct caucus_task *task) {
    enum { UNASKED_MESSAGE = 64 << 10, UNASKED_MOST = 64 << 20 };
    int64_t block = task->volume / task->ranks;
    if (!caucus_gathers(task))
        return 1.5;
    return task->ranks * (block < UNASKED_MESSAGE ? block : UNASKED_MESSAGE) < UNASKED_MOST ? 1.1
                                                                                            : 1;
}

/* Of the blocks of all ranks, as far as they are known here; else NULL. */
static inline const int64_t *caucus_rooted_lengths(const struct caucus_task *task) {
    return caucus_gathers(task) ? task->receive_bytes : task->send_bytes;
}

/* The blocks of all ranks at base, as far as this rank knows their lengths. To be freed. */
static inline struct caucus_blocks caucus_rooted_blocks(struct caucus_builder *builder,
                                                        const struct caucus_task *task,
                                                        struct caucus_place base) {
    return caucus_blocks_in_row(builder, base, task->ranks, caucus_rooted_lengths(task),
                                task->bytes);
}

/* Where the user has all blocks at the root, and where a rank has its own, which is one of them if
 * it works in place. */
static inline struct caucus_place caucus_rooted_base(const struct caucus_task *task) {
    return (struct caucus_place){caucus_gathers(task) ? CAUCUS_BUFFER_OUT : CAUCUS_BUFFER_IN, 0};
}

static inline struct caucus_place caucus_rooted_own(const struct caucus_task *task,
                                                    const struct caucus_blocks *all) {
    enum caucus_buffer own = caucus_gathers(task) ? CAUCUS_BUFFER_IN : CAUCUS_BUFFER_OUT;
    return task->in_place ? caucus_block_place(all, task->rank) : (struct caucus_place){own, 0};
}

/* Blocks of more bytes than these, the root's own among them; all of them where lengths are equal
 * or not known. */
struct caucus_rooted_load {
    double blocks, bytes, longest;
};
struct caucus_rooted_load caucus_rooted_load_above(const struct caucus_task *task, int64_t bytes);

/* All of them straight to the root, or from it. Which one is its own is not said. */
double caucus_rooted_straight_cost(const struct caucus_task *task, const struct caucus_model *model,
                                   const struct caucus_rooted_load *load);

/* Copies from one place to another, or back. */
static inline void caucus_emit_copy_or_back(struct caucus_builder *builder, bool back,
                                            struct caucus_place from, struct caucus_place to,
                                            int64_t length) {
    caucus_emit_copy(builder, back ? to : from, back ? from : to, length);
}

#endif
