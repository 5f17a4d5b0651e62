/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/calls.h"

#include "api/collective/part.h"
#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "base/status.h"
#include "run/layout/contents.h"
#include "run/layout/section.h"

#include <stddef.h>
#include <stdio.h>

/* An array may be a null pointer only where it has no entries. */
static int check_arrays(const struct caucus_side_shape *shape, const struct caucus_side *side,
                        int32_t blocks) {
    const char *missing = NULL;
    if (blocks == 0 || !shape->counted)
        return CAUCUS_OK;
    if (!side->counts.entry)
        missing = shape->count;
    else if (shape->displacement && !side->displacements.entry)
        missing = shape->displacement;
    else if (shape->kind == CAUCUS_SIDE_TYPED && !side->types)
        missing = shape->type;
    return missing ? caucus_fail(CAUCUS_BAD_ARGUMENT,
                                 "%s is a null pointer: it must have %d entries", missing, blocks)
                   : CAUCUS_OK;
}

static int check_counts(const struct caucus_side_shape *shape, const struct caucus_side *side,
                        int32_t blocks, bool *any) {
    *any = false;
    if (!shape->counted) {
        *any = side->count > 0 && blocks > 0;
        return side->count >= 0
                   ? CAUCUS_OK
                   : caucus_fail(CAUCUS_BAD_COUNT, "%s is %lld: it must not be negative",
                                 shape->count, (long long)side->count);
    }
    for (int32_t block = 0; block < blocks; block++) {
        int64_t count = caucus_number(&side->counts, block);
        *any = *any || count > 0;
        if (count < 0)
            return caucus_fail(CAUCUS_BAD_COUNT, "%s[%d] is %lld: it must not be negative",
                               shape->count, block, (long long)count);
    }
    return CAUCUS_OK;
}

int caucus_check_type(MPI_Datatype type, const char *name, int32_t block,
                      const struct caucus_context *context) {
    char index[16] = "";
    if (type != MPI_DATATYPE_NULL && caucus_datatype_name(type))
        return CAUCUS_OK;
    if (block >= 0)
        snprintf(index, sizeof index, "[%d]", block);
    if (type == MPI_DATATYPE_NULL)
        return caucus_fail(CAUCUS_BAD_TYPE, "%s%s is MPI_DATATYPE_NULL", name, index);
    if (context->attachment && !caucus_type_committed(type, context->attachment->comm))
        return caucus_fail(CAUCUS_BAD_TYPE,
                           "%s%s can't be used for communication: MPI_Type_commit must come first",
                           name, index);
    return CAUCUS_OK;
}

static int check_types(const struct caucus_side_shape *shape, const struct caucus_side *side,
                       int32_t blocks, const struct caucus_context *context) {
    int status = CAUCUS_OK;
    if (shape->kind != CAUCUS_SIDE_TYPED)
        return caucus_check_type(side->type, shape->type, -1, context);
    for (int32_t block = 0; block < blocks && !status; block++)
        if (caucus_number(&side->counts, block) > 0)
            status = caucus_check_type(side->types[block], shape->type, block, context);
    return status;
}

bool caucus_leads_away(MPI_Datatype type, int64_t displacement) {
    MPI_Aint lower = 0, extent;
    return displacement != 0 || (!caucus_datatype_name(type) &&
                                 (PMPI_Type_get_true_extent(type, &lower, &extent) || lower != 0));
}

static int check_buffer(const struct caucus_side_shape *shape, const struct caucus_side *side,
                        int32_t blocks, bool any) {
    if (side->buffer == MPI_IN_PLACE)
        return caucus_fail(CAUCUS_BAD_BUFFER, "%s must not be MPI_IN_PLACE here", shape->buffer);
    if (side->buffer || !any)
        return any ? caucus_check_section(side->buffer, shape->buffer) : CAUCUS_OK;
    bool scattered = side->displacements.entry != NULL, typed = shape->kind == CAUCUS_SIDE_TYPED;
    for (int32_t block = 0; block < (scattered ? blocks : 1); block++) {
        if (scattered && caucus_number(&side->counts, block) == 0)
            continue;
        if (!caucus_leads_away(typed ? side->types[block] : side->type,
                               scattered ? caucus_number(&side->displacements, block) : 0))
            return caucus_fail(CAUCUS_BAD_BUFFER,
                               "%s is a null pointer, but there are elements to be moved",
                               shape->buffer);
    }
    return CAUCUS_OK;
}

static int check_side(const struct caucus_collective_call *call, bool receives,
                      const struct caucus_context *context, bool *any) {
    const struct caucus_shape *whole = &caucus_shapes[call->collective];
    const struct caucus_side_shape *shape = receives ? &whole->receive : &whole->send;
    const struct caucus_side *side = receives ? &call->receive : &call->send;
    int32_t blocks = caucus_part_given(context, whole, receives);
    int status = check_arrays(shape, side, blocks);
    if (!status)
        status = check_counts(shape, side, blocks, any);
    if (!status)
        status = check_types(shape, side, blocks, context);
    return status ? status : check_buffer(shape, side, blocks, *any);
}

static int check_root(const struct caucus_collective_call *call,
                      const struct caucus_context *context) {
    int ranks = context->between ? context->remote.size : context->size;
    bool special = call->root == MPI_ROOT || call->root == MPI_PROC_NULL;
    if ((call->root >= 0 && call->root < ranks) || (context->between && special))
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_ROOT, "root is %d: it must be %sfrom 0 to %d", call->root,
                       context->between ? "MPI_ROOT, MPI_PROC_NULL or " : "", ranks - 1);
}

static int check_sides(const struct caucus_collective_call *call, const struct caucus_part *part,
                       const struct caucus_context *context) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    bool some_sent = false, some_received = false;
    int status = CAUCUS_OK;
    if (part->sends)
        status = check_side(call, false, context, &some_sent);
    if (part->receives && !status)
        status = check_side(call, true, context, &some_received);
    bool one = call->send.buffer == call->receive.buffer && call->send.buffer;
    if (!status && some_sent && some_received && one)
        status =
            caucus_fail(CAUCUS_BAD_BUFFER, "%s and %s are the same buffer%s", shape->send.buffer,
                        shape->receive.buffer, context->between ? "" : ": that takes MPI_IN_PLACE");
    return status;
}

/* The same vector is cut in equal parts for either group. */
static int check_parts(const struct caucus_collective_call *call,
                       const struct caucus_context *context) {
    int64_t remote = context->remote.size, part = context->local.size % remote;
    if (call->collective != CAUCUS_REDUCE_SCATTER_BLOCK ||
        call->receive.count % remote * part % remote == 0)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_COUNT,
                       "recvcount is %lld for each of %d ranks: the %lld ranks of the remote group "
                       "can't get equal parts of that",
                       (long long)call->receive.count, context->local.size, (long long)remote);
}

int caucus_call_check_groups(const struct caucus_collective_call *call,
                             const struct caucus_context *context) {
    enum caucus_collective collective = call->collective;
    bool one = caucus_shapes[collective].neighbors || collective == CAUCUS_SCAN ||
               collective == CAUCUS_EXSCAN;
    if (!one || !context->between)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_COMM,
                       "the communicator is an intercommunicator: MPI has no %s between two groups",
                       caucus_collective_name(collective));
}

caucus_request caucus_call_no_request;

int caucus_call_check_request(const struct caucus_collective_call *call) {
    if (call->form == CAUCUS_FORM_BLOCKING)
        return CAUCUS_OK;
    if (call->request == &caucus_call_no_request)
        return caucus_fail(CAUCUS_NO_MEMORY, "out of memory for the request");
    return call->request ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
}

int caucus_call_check(const struct caucus_collective_call *call,
                      const struct caucus_context *context) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    int status = caucus_call_check_request(call);
    if (!status && shape->rooted)
        status = check_root(call, context);
    if (status)
        return status;
    struct caucus_part part = caucus_part_of(call, context);
    status = check_sides(call, &part, context);
    if (!status && shape->reduces && (part.sends || part.receives))
        status = caucus_operation_takes(call->op, call->receive.type, shape->receive.type);
    return status || !context->between ? status : check_parts(call, context);
}
