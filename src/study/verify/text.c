/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/verify/state.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *caucus_verify_buffer_name(int buffer) {
    static const char *const names[] = {"in", "out", "scratch", "the lines", "node memory"};
    return buffer >= 0 && buffer < CAUCUS_BUFFERS ? names[buffer] : "an unknown buffer";
}

static void describe(const struct caucus_operation *operation, char *text, size_t room) {
    const char *source = caucus_verify_buffer_name(operation->source);
    const char *target = caucus_verify_buffer_name(operation->target);
    long long from = operation->source_offset, to = operation->target_offset;
    long long length = operation->length;
    switch (operation->kind) {
    case CAUCUS_OPERATION_SEND:
        snprintf(text, room, "send %lld bytes of %s at %lld to %d", length, source, from,
                 operation->peer);
        break;
    case CAUCUS_OPERATION_RECEIVE:
        snprintf(text, room, "receive %lld bytes into %s at %lld from %d", length, target, to,
                 operation->peer);
        break;
    case CAUCUS_OPERATION_COPY:
    case CAUCUS_OPERATION_REDUCE:
        snprintf(text, room, "%s %lld bytes of %s at %lld into %s at %lld",
                 operation->kind == CAUCUS_OPERATION_COPY ? "copy" : "reduce", length, source, from,
                 target, to);
        break;
    case CAUCUS_OPERATION_SIGNAL:
        snprintf(text, room, "signal %lld on line %lld", length, to);
        break;
    case CAUCUS_OPERATION_AWAIT:
        snprintf(text, room, "await %lld on %d lines from %lld on", length, operation->peer, to);
        break;
    default:
        snprintf(text, room, "operation of unknown kind %d", operation->kind);
    }
}

/* The step that an operation stands in, from 0. */
static long long step_of(const struct caucus_verify_rank *rank, int64_t operation) {
    long long step = 0;
    for (int64_t i = 0; i < operation; i++)
        step += rank->operations[i].ends_step;
    return step;
}

int caucus_verify_fail(const struct caucus_verify *verify, int32_t rank, int64_t operation,
                       const char *format, ...) {
    const struct caucus_verify_rank *of = &verify->rank[rank];
    char what[160], why[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    describe(&of->operations[operation], what, sizeof what);
    return caucus_fail(CAUCUS_INTERNAL, "rank %d, step %lld, operation %lld (%s): %s", rank,
                       step_of(of, operation), (long long)operation, what, why);
}
