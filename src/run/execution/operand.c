/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies and reductions, of operands that are contiguous or not. */
#include "run/execution/state.h"

#include "base/status.h"

#include <string.h>

enum { BOUNCE = 1 << 16 };

static const struct caucus_layout *layout_of(const struct caucus_execution *execution, int buffer) {
    return buffer == CAUCUS_BUFFER_IN ? &execution->in : &execution->out;
}

char *caucus_operand_scattered(const struct caucus_execution *execution, int buffer, int64_t offset,
                               int64_t length) {
    return caucus_layout_address(layout_of(execution, buffer), offset, length);
}

void caucus_operand_read(const struct caucus_execution *execution, int buffer, int64_t offset,
                         int64_t length, char *packed) {
    const char *from = execution->base[buffer];
    if (from)
        memcpy(packed, from + offset, (size_t)length);
    else
        caucus_layout_pack(layout_of(execution, buffer), offset, length, packed);
}

void caucus_operand_write(const struct caucus_execution *execution, int buffer, int64_t offset,
                          int64_t length, const char *packed) {
    char *into = execution->base[buffer];
    if (into)
        memcpy(into + offset, packed, (size_t)length);
    else
        caucus_layout_unpack(layout_of(execution, buffer), offset, length, packed);
}

void caucus_execute_copy(const struct caucus_execution *execution,
                         const struct caucus_operation *operation) {
    const struct caucus_operation *o = operation;
    const char *from = caucus_operand(execution, o->source, o->source_offset, o->length);
    char *into = caucus_operand(execution, o->target, o->target_offset, o->length);
    if (from) {
        caucus_operand_write(execution, o->target, o->target_offset, o->length, from);
        return;
    }
    if (into) {
        caucus_operand_read(execution, o->source, o->source_offset, o->length, into);
        return;
    }
    char piece[BOUNCE];
    for (int64_t done = 0; done < o->length; done += BOUNCE) {
        int64_t length = o->length - done < BOUNCE ? o->length - done : BOUNCE;
        caucus_operand_read(execution, o->source, o->source_offset + done, length, piece);
        caucus_operand_write(execution, o->target, o->target_offset + done, length, piece);
    }
}

/* Brings both operands of a piece into the form of the datatype, and the result back. */
static int reduce_piece(const struct caucus_execution *execution, const struct caucus_operation *o,
                        int64_t offset, int64_t elements) {
    const struct caucus_reduction *reduction = &execution->reduction;
    int64_t bytes = elements * reduction->size;
    int64_t source = o->source_offset + offset, target = o->target_offset + offset;
    caucus_operand_read(execution, o->source, source, bytes, reduction->packed);
    caucus_layout_unpack(&reduction->source, 0, bytes, reduction->packed);
    caucus_operand_read(execution, o->target, target, bytes, reduction->packed);
    caucus_layout_unpack(&reduction->target, 0, bytes, reduction->packed);
    int status =
        caucus_reduction_apply(reduction, reduction->source.base, reduction->target.base, elements);
    caucus_layout_pack(&reduction->target, 0, bytes, reduction->packed);
    caucus_operand_write(execution, o->target, target, bytes, reduction->packed);
    return status;
}

int caucus_execute_reduce(const struct caucus_execution *execution,
                          const struct caucus_operation *operation) {
    const struct caucus_operation *o = operation;
    const struct caucus_reduction *reduction = &execution->reduction;
    int64_t elements = o->length / reduction->size;
    const char *from = caucus_operand(execution, o->source, o->source_offset, o->length);
    char *into = caucus_operand(execution, o->target, o->target_offset, o->length);
    if (caucus_reduction_direct(reduction, from, into))
        return caucus_reduction_apply(reduction, from, into, elements);
    for (int64_t done = 0; done < elements; done += reduction->elements) {
        int64_t piece =
            elements - done < reduction->elements ? elements - done : reduction->elements;
        int status = reduce_piece(execution, o, done * reduction->size, piece);
        if (status)
            return status;
    }
    return CAUCUS_OK;
}
