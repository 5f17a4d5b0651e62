/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be said of a step without running it: operands lie within their buffers, and no two
 * operations touch a byte that one of them writes. */
#include "study/verify/state.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct touch {
    int64_t begin, end, operation;
    uint8_t buffer;
    bool writes;
};

enum { FEW = 12 }; /* touches that are compared pair by pair */

static int outside(const struct caucus_verify *verify, int32_t rank, int64_t operation, int buffer,
                   int64_t size) {
    return caucus_verify_fail(verify, rank, operation, "it reaches beyond the %lld bytes of %s",
                              (long long)size, caucus_verify_buffer_name(buffer));
}

/* Within one line, behind its flag. */
static bool in_payload(int64_t offset, int64_t length) {
    int64_t at = offset % CAUCUS_LINE_BYTES;
    return at >= CAUCUS_LINE_FLAG && at + length <= CAUCUS_LINE_BYTES;
}

static int check_operand(const struct caucus_verify *verify, int32_t r, int64_t operation,
                         int buffer, int64_t offset, int64_t length) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    const struct caucus_verify_node *node = &verify->node[rank->node];
    const int64_t size[CAUCUS_BUFFERS] = {rank->buffers.in_bytes, rank->buffers.out_bytes,
                                          rank->scratch_bytes,
                                          (int64_t)node->lines * CAUCUS_LINE_BYTES, node->bytes};
    if (buffer >= CAUCUS_BUFFERS)
        return caucus_verify_fail(verify, r, operation, "there is no buffer %d", buffer);
    if (length <= 0)
        return caucus_verify_fail(verify, r, operation, "it has no length");
    if (offset < 0 || length > size[buffer] || offset > size[buffer] - length)
        return outside(verify, r, operation, buffer, size[buffer]);
    if (buffer == CAUCUS_BUFFER_LINE && !in_payload(offset, length))
        return caucus_verify_fail(verify, r, operation,
                                  "it reaches out of the payload of one line");
    return CAUCUS_OK;
}

static int check_target(const struct caucus_verify *verify, int32_t rank, int64_t i) {
    const struct caucus_operation *operation = &verify->rank[rank].operations[i];
    if (operation->target == CAUCUS_BUFFER_IN)
        return caucus_verify_fail(verify, rank, i, "in is never written");
    return check_operand(verify, rank, i, operation->target, operation->target_offset,
                         operation->length);
}

static int check_flag(const struct caucus_verify *verify, int32_t rank, int64_t i) {
    const struct caucus_operation *operation = &verify->rank[rank].operations[i];
    int64_t lines = verify->node[verify->rank[rank].node].lines;
    int64_t many = operation->kind == CAUCUS_OPERATION_AWAIT ? operation->peer : 1;
    if (operation->length < 1 || operation->length >= CAUCUS_FLAG_LIMIT)
        return caucus_verify_fail(verify, rank, i, "values of a flag are 1 to %d",
                                  CAUCUS_FLAG_LIMIT - 1);
    if (many < 1 || operation->target_offset < 0 || operation->target_offset > lines - many)
        return caucus_verify_fail(verify, rank, i, "there are %lld lines", (long long)lines);
    return CAUCUS_OK;
}

static int check_operation(const struct caucus_verify *verify, int32_t rank, int64_t i) {
    const struct caucus_operation *operation = &verify->rank[rank].operations[i];
    int status = CAUCUS_OK;
    switch (operation->kind) {
    case CAUCUS_OPERATION_COPY:
    case CAUCUS_OPERATION_REDUCE:
        status = check_target(verify, rank, i);
        if (status)
            return status;
        return check_operand(verify, rank, i, operation->source, operation->source_offset,
                             operation->length);
    case CAUCUS_OPERATION_SEND:
        return check_operand(verify, rank, i, operation->source, operation->source_offset,
                             operation->length);
    case CAUCUS_OPERATION_RECEIVE:
        return check_target(verify, rank, i);
    case CAUCUS_OPERATION_SIGNAL:
    case CAUCUS_OPERATION_AWAIT:
        return check_flag(verify, rank, i);
    default:
        return caucus_verify_fail(verify, rank, i, "there is no such operation");
    }
}

/* Adds what an operation touches. Of in only where it is out too: else nobody writes it. */
static int touches_of(const struct caucus_verify_rank *rank, int64_t i, struct touch *touches) {
    const struct caucus_operation *operation = &rank->operations[i];
    int count = 0;
    bool local =
        operation->kind == CAUCUS_OPERATION_COPY || operation->kind == CAUCUS_OPERATION_REDUCE;
    if (local || operation->kind == CAUCUS_OPERATION_SEND) {
        int64_t begin = operation->source_offset;
        uint8_t buffer = operation->source;
        if (buffer == CAUCUS_BUFFER_IN && rank->buffers.aliased) {
            buffer = CAUCUS_BUFFER_OUT;
            begin += rank->buffers.alias;
        }
        if (buffer != CAUCUS_BUFFER_IN)
            touches[count++] = (struct touch){begin, begin + operation->length, i, buffer, false};
    }
    if (local || operation->kind == CAUCUS_OPERATION_RECEIVE) {
        int64_t begin = operation->target_offset;
        touches[count++] =
            (struct touch){begin, begin + operation->length, i, operation->target, true};
    }
    if (operation->kind == CAUCUS_OPERATION_SIGNAL) {
        int64_t flag = operation->target_offset * CAUCUS_LINE_BYTES;
        touches[count++] =
            (struct touch){flag, flag + CAUCUS_LINE_FLAG, i, CAUCUS_BUFFER_LINE, true};
    }
    return count;
}

static int conflict(const struct caucus_verify *verify, int32_t rank, const struct touch *a,
                    const struct touch *b) {
    int64_t begin = a->begin > b->begin ? a->begin : b->begin;
    if (a->operation == b->operation)
        return caucus_verify_fail(verify, rank, a->operation, "it reads what it writes");
    return caucus_verify_fail(verify, rank, a->operation,
                              "operation %lld of the same step touches byte %lld of %s too, and "
                              "one of them writes it",
                              (long long)b->operation, (long long)begin,
                              caucus_verify_buffer_name(a->buffer));
}

static int compare_touches(const void *left, const void *right) {
    const struct touch *a = left, *b = right;
    if (a->buffer != b->buffer)
        return a->buffer < b->buffer ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* In ascending order a touch meets those before it that reach furthest: of the writes, and, if it
 * writes itself, of all. */
static int sweep(const struct caucus_verify *verify, int32_t rank, const struct touch *touches,
                 int64_t count) {
    const struct touch *write = NULL, *any = NULL;
    for (int64_t i = 0; i < count; i++) {
        const struct touch *touch = &touches[i];
        if (any && any->buffer != touch->buffer)
            write = any = NULL;
        const struct touch *before = touch->writes ? any : write;
        if (before && before->end > touch->begin)
            return conflict(verify, rank, touch, before);
        if (!any || touch->end > any->end)
            any = touch;
        if (touch->writes && (!write || touch->end > write->end))
            write = touch;
    }
    return CAUCUS_OK;
}

static int check_many(const struct caucus_verify *verify, int32_t r, int64_t begin, int64_t end) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    struct touch *touches = caucus_array(2 * (end - begin), sizeof *touches);
    if (!touches)
        return CAUCUS_NO_MEMORY;
    int64_t count = 0;
    bool sorted = true;
    for (int64_t i = begin; i < end; i++) {
        int added = touches_of(rank, i, touches + count);
        for (int k = 0; k < added; k++, count++)
            sorted = sorted &&
                     (count == 0 || compare_touches(touches + count - 1, touches + count) <= 0);
    }
    if (!sorted)
        qsort(touches, (size_t)count, sizeof *touches, compare_touches);
    int status = sweep(verify, r, touches, count);
    free(touches);
    return status;
}

static int check_few(const struct caucus_verify *verify, int32_t r, int64_t begin, int64_t end) {
    struct touch touches[FEW];
    int count = 0;
    for (int64_t i = begin; i < end; i++)
        count += touches_of(&verify->rank[r], i, touches + count);
    for (int a = 1; a < count; a++)
        for (int b = 0; b < a; b++)
            if (touches[a].buffer == touches[b].buffer &&
                (touches[a].writes || touches[b].writes) && touches[a].begin < touches[b].end &&
                touches[b].begin < touches[a].end)
                return conflict(verify, r, &touches[a], &touches[b]);
    return CAUCUS_OK;
}

int caucus_verify_step(struct caucus_verify *verify, int32_t r, int64_t begin, int64_t *end) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    bool ended = false;
    int64_t i = begin;
    while (!ended) {
        int status = check_operation(verify, r, i);
        if (status)
            return status;
        ended = rank->operations[i++].ends_step;
        if (!ended && i == rank->count)
            return caucus_verify_fail(verify, r, i - 1, "the last operation ends no step");
    }
    *end = i;
    return i - begin <= FEW / 2 ? check_few(verify, r, begin, i) : check_many(verify, r, begin, i);
}
