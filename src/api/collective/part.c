/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/part.h"

#include "plan/intergroup/intergroup.h"

static int32_t root_of(const struct caucus_collective_call *call,
                       const struct caucus_context *context) {
    if (!caucus_shapes[call->collective].rooted)
        return 0;
    if (!context->between)
        return call->root;
    if (call->root == MPI_ROOT)
        return context->rank;
    return call->root == MPI_PROC_NULL ? CAUCUS_ROOT_ELSEWHERE : context->remote.first + call->root;
}

/* Between groups the root has one side of the collective, and the other group the other one; a
 * bcast has but one buffer for both. */
static bool matters(const struct caucus_side_shape *side, bool alone,
                    const struct caucus_context *context, int32_t root) {
    if (side->kind == CAUCUS_SIDE_ABSENT || root == CAUCUS_ROOT_ELSEWHERE)
        return false;
    bool here = context->rank == root;
    if (context->between && here && !alone)
        return side->root_only;
    return !side->root_only || here;
}

struct caucus_part caucus_part_of(const struct caucus_collective_call *call,
                                  const struct caucus_context *context) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    int32_t root = root_of(call, context);
    bool alone = !shape->rooted || shape->send.kind == CAUCUS_SIDE_ABSENT;
    struct caucus_part part = {
        .sends = matters(&shape->send, alone, context, root),
        .receives = matters(&shape->receive, alone, context, root),
        .root = root,
        .own = context->rank - context->local.first,
    };
    bool may = !context->between && (!shape->rooted || context->rank == root);
    if (may && shape->in_place == CAUCUS_IN_PLACE_SEND)
        part.in_place = call->send.buffer == MPI_IN_PLACE;
    if (may && shape->in_place == CAUCUS_IN_PLACE_RECEIVE)
        part.in_place = call->receive.buffer == MPI_IN_PLACE;
    if (part.in_place && shape->in_place == CAUCUS_IN_PLACE_SEND)
        part.sends = false;
    else if (part.in_place)
        part.receives = false;
    return part;
}

void caucus_part_tidy(struct caucus_collective_call *call, const struct caucus_context *context) {
    if (context->between && root_of(call, context) == CAUCUS_ROOT_ELSEWHERE)
        call->op = MPI_OP_NULL;
}

int32_t caucus_part_blocks(const struct caucus_context *context, enum caucus_side_kind kind) {
    bool own = kind == CAUCUS_SIDE_TOTAL || kind == CAUCUS_SIDE_OWN;
    return context->between && !own ? context->remote.size : context->local.size;
}

int32_t caucus_part_given(const struct caucus_context *context, const struct caucus_shape *shape,
                          bool receives) {
    enum caucus_side_kind kind = receives ? shape->receive.kind : shape->send.kind;
    if (kind == CAUCUS_SIDE_ONE)
        return 1;
    if (shape->neighbors)
        return (receives ? &context->neighbors.sources : &context->neighbors.destinations)->blocks;
    return caucus_part_blocks(context, kind);
}
