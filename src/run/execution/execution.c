/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/one_copy.h"
#include "run/execution/links.h"
#include "run/execution/state.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

static char *flat_base(const struct caucus_layout *layout) {
    return caucus_layout_is_plain(layout) ? caucus_layout_shifted(layout->base, layout->flat_at)
                                          : NULL;
}

static void take_buffers(struct caucus_execution *execution, struct caucus_layout in,
                         struct caucus_layout out) {
    execution->in = in;
    execution->out = out;
    execution->base[CAUCUS_BUFFER_IN] = flat_base(&execution->in);
    execution->base[CAUCUS_BUFFER_OUT] = flat_base(&execution->out);
}

static bool writes_node(const struct caucus_operation *operation) {
    bool targets =
        operation->target == CAUCUS_BUFFER_LINE || operation->target == CAUCUS_BUFFER_NODE;
    switch (operation->kind) {
    case CAUCUS_OPERATION_SIGNAL:
        return true;
    case CAUCUS_OPERATION_RECEIVE:
    case CAUCUS_OPERATION_COPY:
    case CAUCUS_OPERATION_REDUCE:
        return targets;
    default:
        return false;
    }
}

static void look_through(struct caucus_execution *execution) {
    const struct caucus_schedule *schedule = execution->schedule;
    execution->end = schedule->operations + schedule->count;
    for (const struct caucus_operation *o = schedule->operations; o < execution->end; o++) {
        execution->is_gated |= writes_node(o);
        execution->has_messages |=
            o->kind == CAUCUS_OPERATION_SEND || o->kind == CAUCUS_OPERATION_RECEIVE;
    }
}

int caucus_execution_prepare(struct caucus_execution *execution) {
    const struct caucus_reduction *reduction = &execution->reduction;
    int status = caucus_messages_prepare(execution);
    bool direct = reduction->alignment == 1 && caucus_execution_is_plain(execution);
    if (!status && !direct)
        status = caucus_reduction_reserve(&execution->reduction);
    execution->is_prepared = !status;
    return status;
}

static int check_room(const struct caucus_arena *arena, const struct caucus_schedule *schedule) {
    if (schedule->lines <= arena->lines && schedule->node_bytes <= arena->bytes)
        return CAUCUS_OK;
    return caucus_fail(
        CAUCUS_INTERNAL, "a schedule of %d lines and %lld bytes in an arena of %d lines and %lld",
        schedule->lines, (long long)schedule->node_bytes, arena->lines, (long long)arena->bytes);
}

static int fill(struct caucus_execution *execution, const struct caucus_binding *binding) {
    const struct caucus_schedule *schedule = binding->schedule;
    struct caucus_arena *arena = execution->arena;
    int status = check_room(arena, schedule);
    if (status)
        return status;
    look_through(execution);
    if (schedule->scratch_bytes > 0) {
        execution->scratch = aligned_alloc(
            CAUCUS_LINE_BYTES, ((size_t)schedule->scratch_bytes + CAUCUS_LINE_BYTES - 1) /
                                   CAUCUS_LINE_BYTES * CAUCUS_LINE_BYTES);
        if (!execution->scratch)
            return caucus_fail(CAUCUS_NO_MEMORY, "no memory for %lld bytes of scratch",
                               (long long)schedule->scratch_bytes);
        execution->base[CAUCUS_BUFFER_SCRATCH] = execution->scratch;
    }
    status = caucus_reduction_init(&execution->reduction, binding->op, binding->type);
    execution->messages.kept = binding->sending == CAUCUS_SENDING_KEPT;
    execution->links.wanted = caucus_one_copy_allowed(execution->engine) && binding->shares_memory;
    return status ? status : caucus_execution_prepare(execution);
}

int caucus_execution_create(struct caucus_engine *engine, struct caucus_arena *arena,
                            struct caucus_binding *binding, struct caucus_execution **made) {
    struct caucus_execution *execution = caucus_array(1, sizeof *execution);
    *made = NULL;
    caucus_execution_begin_telling();
    if (!execution) {
        caucus_layout_free(&binding->in);
        caucus_layout_free(&binding->out);
        return CAUCUS_NO_MEMORY;
    }
    execution->engine = engine;
    execution->arena = arena;
    execution->schedule = binding->schedule;
    execution->name = binding->name;
    take_buffers(execution, binding->in, binding->out);
    int status = fill(execution, binding);
    if (status)
        caucus_execution_free(execution);
    else
        *made = execution;
    return status;
}

void caucus_execution_rebind(struct caucus_execution *execution, struct caucus_layout in,
                             struct caucus_layout out) {
    caucus_layout_free(&execution->in);
    caucus_layout_free(&execution->out);
    take_buffers(execution, in, out);
    caucus_messages_forget_kept(execution);
    execution->is_prepared = false;
}

bool caucus_execution_is_plain(const struct caucus_execution *execution) {
    return caucus_layout_is_plain(&execution->in) && caucus_layout_is_plain(&execution->out);
}

/* What is prepared for buffers without gaps does not depend on where they are, but for kept
 * messages. */
void caucus_execution_move(struct caucus_execution *execution, int64_t in, int64_t out) {
    execution->in.base = caucus_layout_shifted(execution->in.base, in);
    execution->out.base = caucus_layout_shifted(execution->out.base, out);
    execution->base[CAUCUS_BUFFER_IN] = flat_base(&execution->in);
    execution->base[CAUCUS_BUFFER_OUT] = flat_base(&execution->out);
    caucus_messages_forget_kept(execution);
}

void caucus_execution_free(struct caucus_execution *execution) {
    if (!execution)
        return;
    caucus_messages_free(execution);
    caucus_links_free(execution);
    caucus_reduction_free(&execution->reduction);
    caucus_layout_free(&execution->in);
    caucus_layout_free(&execution->out);
    caucus_messages_free_buffer(&execution->messages, execution->scratch);
    free(execution->failure_text);
    free(execution);
}
