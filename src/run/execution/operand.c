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

char *caucus_operand_straight(const struct caucus_execution *execution, int buffer, int64_t offset,
                              int64_t length) {
    return caucus_layout_straight(layout_of(execution, buffer), offset, length);
}

int caucus_operand_read(const struct caucus_execution *execution, int buffer, int64_t offset,
                        int64_t length, char *packed) {
    const char *from = execution->base[buffer];
    if (!from)
        return caucus_layout_pack(layout_of(execution, buffer), offset, length, packed);
    memcpy(packed, from + offset, (size_t)length);
    return CAUCUS_OK;
}

int caucus_operand_write(const struct caucus_execution *execution, int buffer, int64_t offset,
                         int64_t length, const char *packed) {
    char *into = execution->base[buffer];
    if (!into)
        return caucus_layout_unpack(layout_of(execution, buffer), offset, length, packed);
    memcpy(into + offset, packed, (size_t)length);
    return CAUCUS_OK;
}

int caucus_execute_copy(const struct caucus_execution *execution,
                        const struct caucus_operation *operation) {
    const struct caucus_operation *o = operation;
    const char *from = caucus_operand(execution, o->source, o->source_offset, o->length);
    char *into = caucus_operand(execution, o->target, o->target_offset, o->length);
    if (from)
        return caucus_operand_write(execution, o->target, o->target_offset, o->length, from);
    if (into)
        return caucus_operand_read(execution, o->source, o->source_offset, o->length, into);
    char piece[BOUNCE];
    int status = CAUCUS_OK;
    for (int64_t done = 0; done < o->length && !status; done += BOUNCE) {
        int64_t length = o->length - done < BOUNCE ? o->length - done : BOUNCE;
        status = caucus_operand_read(execution, o->source, o->source_offset + done, length, piece);
        if (!status)
            status =
                caucus_operand_write(execution, o->target, o->target_offset + done, length, piece);
    }
    return status;
}

/* The operand of the user's or ours, in the form of the datatype. */
static int fetch(const struct caucus_execution *execution, int buffer, int64_t offset,
                 int64_t bytes, const struct caucus_layout *into) {
    char *packed = execution->reduction.packed;
    int status = caucus_operand_read(execution, buffer, offset, bytes, packed);
    return status ? status : caucus_layout_unpack(into, 0, bytes, packed);
}

/* Brings both operands of a piece into the form of the datatype, and the result back. */
static int reduce_piece(const struct caucus_execution *execution, const struct caucus_operation *o,
                        int64_t offset, int64_t elements) {
    const struct caucus_reduction *reduction = &execution->reduction;
    int64_t bytes = elements * reduction->size, target = o->target_offset + offset;
    int status = fetch(execution, o->source, o->source_offset + offset, bytes, &reduction->source);
    if (!status)
        status = fetch(execution, o->target, target, bytes, &reduction->target);
    if (!status)
        status = caucus_reduction_apply(reduction, reduction->source.base, reduction->target.base,
                                        elements);
    if (!status)
        status = caucus_layout_pack(&reduction->target, 0, bytes, reduction->packed);
    return status ? status
                  : caucus_operand_write(execution, o->target, target, bytes, reduction->packed);
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
