/* SPDX-License-Identifier: BSD-3-Clause */
/* How algorithms write a schedule. Nothing here returns an error: a builder that failed ignores
 * what follows, and caucus_builder_finish tells.
 *
 *   int32_t size = builder->group.size, rank = builder->group.rank;
 *   for (int32_t distance = 1; distance < size; distance *= 2) {
 *       caucus_emit_send(builder, (rank + distance) % size, data, bytes);
 *       caucus_emit_receive(builder, (rank - distance + size) % size, scratch, bytes);
 *       caucus_end_step(builder);
 *   } */
#ifndef CAUCUS_PLAN_SCHEDULE_BUILDER_H
#define CAUCUS_PLAN_SCHEDULE_BUILDER_H

#include "plan/schedule/schedule.h"

#include <stddef.h>

/* The ranks among which an algorithm works: all, or some of them under numbers of their own. */
struct caucus_group {
    int32_t size, rank;
    const int32_t *ranks; /* size entries, not owned; NULL where they are first, first + 1, … */
    int32_t first;
};

struct caucus_builder {
    struct caucus_group group; /* who peers are; read it, change it with caucus_enter_group */
    struct caucus_schedule schedule;
    int64_t room;
    int64_t step_begin; /* the first operation of the open step */
    int status;
};

void caucus_builder_init(struct caucus_builder *builder, int32_t size, int32_t rank);

/* Peers are ranks of this group from now on, which is how an algorithm becomes a part of another.
 * Returns the group before it, to go back to. This rank must be in it. */
struct caucus_group caucus_enter_group(struct caucus_builder *builder, struct caucus_group group);

/* The rank that has this number in the builder's group. */
static inline int32_t caucus_builder_rank(const struct caucus_builder *builder, int32_t number) {
    return builder->group.ranks ? builder->group.ranks[number] : builder->group.first + number;
}

/* count * size zeroed bytes, to be given to free(). Out of memory NULL, and the builder fails:
 * there is none for so many of what. */
void *caucus_builder_array(struct caucus_builder *builder, int64_t count, size_t size,
                           const char *what);

/* Operations of length 0 are left out, on both sides of a message alike. A copy onto itself is
 * left out too. */
void caucus_emit_send(struct caucus_builder *builder, int32_t peer, struct caucus_place source,
                      int64_t length);
void caucus_emit_receive(struct caucus_builder *builder, int32_t peer, struct caucus_place target,
                         int64_t length);
static inline void caucus_emit_message(struct caucus_builder *builder, bool sends, int32_t peer,
                                       struct caucus_place place, int64_t length) {
    (sends ? caucus_emit_send : caucus_emit_receive)(builder, peer, place, length);
}
void caucus_emit_copy(struct caucus_builder *builder, struct caucus_place source,
                      struct caucus_place target, int64_t length);
void caucus_emit_reduce(struct caucus_builder *builder, struct caucus_place source,
                        struct caucus_place target, int64_t length);
void caucus_emit_signal(struct caucus_builder *builder, int32_t line, int64_t value);
void caucus_emit_await(struct caucus_builder *builder, int32_t first_line, int32_t lines,
                       int64_t value);

/* What was emitted since the last call is one step; nothing emitted is no step. */
void caucus_end_step(struct caucus_builder *builder);

/* Reserve memory; offsets are aligned to 64 bytes. For lines and node memory, all ranks of a node
 * must come with the same numbers in the same order. */
struct caucus_place caucus_reserve_scratch(struct caucus_builder *builder, int64_t bytes);
struct caucus_place caucus_reserve_node(struct caucus_builder *builder, int64_t bytes);
int32_t caucus_reserve_lines(struct caucus_builder *builder, int32_t lines);

static inline struct caucus_place caucus_line_payload(int32_t line) {
    return (struct caucus_place){CAUCUS_BUFFER_LINE,
                                 (int64_t)line * CAUCUS_LINE_BYTES + CAUCUS_LINE_FLAG};
}

/* Says that this algorithm can't serve, in words; the text is kept for caucus_error_text(). */
void caucus_builder_fail(struct caucus_builder *builder, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the schedule away, or on failure a status and nothing. The builder is empty then. */
int caucus_builder_finish(struct caucus_builder *builder, struct caucus_schedule *schedule);

#endif
