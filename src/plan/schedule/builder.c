/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/schedule/builder.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 16, ALIGNMENT = 64 };

void caucus_builder_init(struct caucus_builder *builder, int32_t size, int32_t rank) {
    *builder = (struct caucus_builder){.group = {.size = size, .rank = rank}};
}

struct caucus_group caucus_enter_group(struct caucus_builder *builder, struct caucus_group group) {
    struct caucus_group before = builder->group;
    builder->group = group;
    return before;
}

static bool grow(struct caucus_builder *builder) {
    int64_t room = builder->room ? 2 * builder->room : FIRST_ROOM;
    struct caucus_operation *operations = NULL;
    if (room < INT64_MAX / (int64_t)sizeof *operations)
        operations = realloc(builder->schedule.operations, (size_t)room * sizeof *operations);
    if (!operations) {
        builder->status = caucus_fail(
            CAUCUS_NO_MEMORY, "no memory for a schedule of %lld operations", (long long)room);
        return false;
    }
    builder->schedule.operations = operations;
    builder->room = room;
    return true;
}

static void emit(struct caucus_builder *builder, struct caucus_operation operation) {
    struct caucus_schedule *schedule = &builder->schedule;
    if (builder->status || operation.length == 0)
        return;
    if (schedule->count == builder->room && !grow(builder))
        return;
    schedule->operations[schedule->count++] = operation;
}

void caucus_emit_send(struct caucus_builder *builder, int32_t peer, struct caucus_place source,
                      int64_t length) {
    emit(builder, (struct caucus_operation){.kind = CAUCUS_OPERATION_SEND,
                                            .peer = caucus_builder_rank(builder, peer),
                                            .source = (uint8_t)source.buffer,
                                            .source_offset = source.offset,
                                            .length = length});
}

void caucus_emit_receive(struct caucus_builder *builder, int32_t peer, struct caucus_place target,
                         int64_t length) {
    emit(builder, (struct caucus_operation){.kind = CAUCUS_OPERATION_RECEIVE,
                                            .peer = caucus_builder_rank(builder, peer),
                                            .target = (uint8_t)target.buffer,
                                            .target_offset = target.offset,
                                            .length = length});
}

static void emit_local(struct caucus_builder *builder, enum caucus_operation_kind kind,
                       struct caucus_place source, struct caucus_place target, int64_t length) {
    emit(builder, (struct caucus_operation){.kind = (uint8_t)kind,
                                            .source = (uint8_t)source.buffer,
                                            .source_offset = source.offset,
                                            .target = (uint8_t)target.buffer,
                                            .target_offset = target.offset,
                                            .length = length});
}

void caucus_emit_copy(struct caucus_builder *builder, struct caucus_place source,
                      struct caucus_place target, int64_t length) {
    if (source.buffer != target.buffer || source.offset != target.offset)
        emit_local(builder, CAUCUS_OPERATION_COPY, source, target, length);
}

void caucus_emit_reduce(struct caucus_builder *builder, struct caucus_place source,
                        struct caucus_place target, int64_t length) {
    emit_local(builder, CAUCUS_OPERATION_REDUCE, source, target, length);
}

void caucus_emit_signal(struct caucus_builder *builder, int32_t line, int64_t value) {
    emit(builder, (struct caucus_operation){
                      .kind = CAUCUS_OPERATION_SIGNAL, .target_offset = line, .length = value});
}

void caucus_emit_await(struct caucus_builder *builder, int32_t first_line, int32_t lines,
                       int64_t value) {
    if (lines > 0)
        emit(builder, (struct caucus_operation){.kind = CAUCUS_OPERATION_AWAIT,
                                                .peer = lines,
                                                .target_offset = first_line,
                                                .length = value});
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
