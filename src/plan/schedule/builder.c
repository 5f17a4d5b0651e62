/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/schedule/builder.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

void caucus_builder_init(struct caucus_builder *builder, int32_t size, int32_t rank) {
    *builder = (struct caucus_builder){.group = {.size = size, .rank = rank}};
}

struct caucus_group caucus_enter_group(struct caucus_builder *builder, struct caucus_group group) {
    struct caucus_group before = builder->group;
    builder->group = group;
    return before;
}

void *caucus_builder_array(struct caucus_builder *builder, int64_t count, size_t size,
                           const char *what) {
    void *array = caucus_array(count, size);
    if (!array)
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for %lld %s", (long long)count,
                            what);
    return array;
}

static const struct caucus_place nowhere; /* all zero */

static void emit(struct caucus_builder *builder, enum caucus_operation_kind kind, int32_t peer,
                 struct caucus_place source, struct caucus_place target, int64_t length) {
    struct caucus_schedule *schedule = &builder->schedule;
    if (builder->status || length == 0)
        return;
    if (schedule->count == builder->room) {
        void *wider = caucus_array_grow(schedule->operations, schedule->count, &builder->room,
                                        sizeof *schedule->operations);
        if (!wider) {
            builder->status = CAUCUS_NO_MEMORY;
            return;
        }
        schedule->operations = wider;
    }
    schedule->operations[schedule->count++] =
        (struct caucus_operation){.kind = (uint8_t)kind,
                                  .peer = peer,
                                  .source = (uint8_t)source.buffer,
                                  .source_offset = source.offset,
                                  .target = (uint8_t)target.buffer,
                                  .target_offset = target.offset,
                                  .length = length};
}

void caucus_emit_send(struct caucus_builder *builder, int32_t peer, struct caucus_place source,
                      int64_t length) {
    emit(builder, CAUCUS_OPERATION_SEND, caucus_builder_rank(builder, peer), source, nowhere,
         length);
}

void caucus_emit_receive(struct caucus_builder *builder, int32_t peer, struct caucus_place target,
                         int64_t length) {
    emit(builder, CAUCUS_OPERATION_RECEIVE, caucus_builder_rank(builder, peer), nowhere, target,
         length);
}

void caucus_emit_copy(struct caucus_builder *builder, struct caucus_place source,
                      struct caucus_place target, int64_t length) {
    if (source.buffer != target.buffer || source.offset != target.offset)
        emit(builder, CAUCUS_OPERATION_COPY, 0, source, target, length);
}

void caucus_emit_reduce(struct caucus_builder *builder, struct caucus_place source,
                        struct caucus_place target, int64_t length) {
    emit(builder, CAUCUS_OPERATION_REDUCE, 0, source, target, length);
}

void caucus_emit_signal(struct caucus_builder *builder, int32_t line, int64_t value) {
    emit(builder, CAUCUS_OPERATION_SIGNAL, 0, nowhere, caucus_at(nowhere, line), value);
}

void caucus_emit_await(struct caucus_builder *builder, int32_t first_line, int32_t lines,
                       int64_t value) {
    if (lines > 0)
        emit(builder, CAUCUS_OPERATION_AWAIT, lines, nowhere, caucus_at(nowhere, first_line),
             value);
}

void caucus_end_step(struct caucus_builder *builder) {
    struct caucus_schedule *schedule = &builder->schedule;
    if (!builder->status && schedule->count > builder->step_begin)
        schedule->operations[schedule->count - 1].ends_step = 1;
    builder->step_begin = schedule->count;
}

static struct caucus_place reserve(struct caucus_builder *builder, enum caucus_buffer buffer,
                                   int64_t *end, int64_t bytes) {
    struct caucus_place place = {buffer, *end};
    if (bytes > INT64_MAX / 2 - *end)
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "a schedule needs more than 2^62 bytes");
    else
        *end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place;
}

struct caucus_place caucus_reserve_scratch(struct caucus_builder *builder, int64_t bytes) {
    return reserve(builder, CAUCUS_BUFFER_SCRATCH, &builder->schedule.scratch_bytes, bytes);
}

struct caucus_place caucus_reserve_node(struct caucus_builder *builder, int64_t bytes) {
    return reserve(builder, CAUCUS_BUFFER_NODE, &builder->schedule.node_bytes, bytes);
}

int32_t caucus_reserve_lines(struct caucus_builder *builder, int32_t lines) {
    int32_t first = builder->schedule.lines;
    builder->schedule.lines += lines;
    return first;
}

void caucus_builder_fail(struct caucus_builder *builder, int status, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (builder->status)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->status = caucus_fail(status, "%s", text);
}

/* A schedule may be kept for long. */
static void give_back(struct caucus_builder *builder) {
    struct caucus_schedule *schedule = &builder->schedule;
    if (schedule->count == 0 || schedule->count == builder->room)
        return;
    void *operations =
        realloc(schedule->operations, (size_t)schedule->count * sizeof *schedule->operations);
    if (operations)
        schedule->operations = operations;
}

void caucus_schedule_free(struct caucus_schedule *schedule) {
    free(schedule->operations);
    *schedule = (struct caucus_schedule){0};
}

int caucus_builder_finish(struct caucus_builder *builder, struct caucus_schedule *schedule) {
    int status = builder->status;
    caucus_end_step(builder);
    give_back(builder);
    *schedule = builder->schedule;
    if (status)
        caucus_schedule_free(schedule);
    *builder = (struct caucus_builder){0};
    return status;
}
