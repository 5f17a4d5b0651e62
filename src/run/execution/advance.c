/* SPDX-License-Identifier: BSD-3-Clause */
/* A run, step by step, as far as it goes without waiting. */
#include "run/execution/state.h"

#include "base/status.h"

#include <string.h>

enum { RUN_SHIFT = 20, WORDS_OF_LINE = CAUCUS_LINE_BYTES / 8 };
_Static_assert(CAUCUS_FLAG_LIMIT == 1 << RUN_SHIFT, "a flag holds run and value");

static _Atomic int64_t *flag_at(const struct caucus_execution *execution, int64_t line) {
    char *lines = execution->base[CAUCUS_BUFFER_LINE];
    return (_Atomic int64_t *)(void *)(lines + line * CAUCUS_LINE_BYTES);
}

static int64_t flag_value(const struct caucus_execution *execution, int64_t value) {
    return execution->run << RUN_SHIFT | value;
}

/* Whether all ranks of the node have completed the last run that used this slot. */
static bool is_gate_open(struct caucus_execution *execution) {
    struct caucus_arena *arena = execution->arena;
    int64_t needed = execution->run - arena->slots, least = INT64_MAX;
    if (arena->known_done >= needed)
        return true;
    int32_t ranks = caucus_engine_node_size(execution->engine);
    for (int32_t local = 0; local < ranks; local++) {
        int64_t done =
            atomic_load_explicit(&arena->done[local * WORDS_OF_LINE], memory_order_acquire);
        if (done < needed)
            return false;
        least = done < least ? done : least;
    }
    arena->known_done = least;
    return true;
}

void caucus_execution_begin(struct caucus_execution *execution) {
    struct caucus_arena *arena = execution->arena;
    execution->operation = execution->schedule->operations;
    execution->messages.begun = 0;
    if (arena->done) {
        int32_t local = caucus_engine_local(execution->engine);
        atomic_store_explicit(&arena->done[local * WORDS_OF_LINE + 1], execution->run,
                              memory_order_relaxed);
        int64_t slot = execution->run & (arena->slots - 1);
        execution->base[CAUCUS_BUFFER_LINE] = arena->line + slot * arena->line_stride;
        execution->base[CAUCUS_BUFFER_NODE] = arena->node + slot * arena->node_stride;
    }
    bool waits = execution->is_gated && arena->known_done < execution->run - arena->slots;
    caucus_execution_enter(execution,
                           waits ? CAUCUS_EXECUTION_GATED : CAUCUS_EXECUTION_BETWEEN_STEPS);
}

static inline int copy(const struct caucus_execution *execution, const struct caucus_operation *o) {
    const char *from = execution->base[o->source];
    char *into = execution->base[o->target];
    if (!from || !into)
        return caucus_execute_copy(execution, o);
    if (o->length == 8) /* one number: not worth a call */
        memcpy(into + o->target_offset, from + o->source_offset, 8);
    else if (o->length == 4)
        memcpy(into + o->target_offset, from + o->source_offset, 4);
    else
        memcpy(into + o->target_offset, from + o->source_offset, (size_t)o->length);
    return CAUCUS_OK;
}

static inline int reduce(const struct caucus_execution *execution,
                         const struct caucus_operation *o) {
    const char *from = execution->base[o->source];
    char *into = execution->base[o->target];
    caucus_kernel *kernel = execution->reduction.kernel;
    if (!from || !into || !kernel)
        return caucus_execute_reduce(execution, o);
    int64_t size = execution->reduction.size; /* a division takes as long as a short sum */
    int64_t count = o->length == size ? 1 : o->length / size;
    kernel(from + o->source_offset, into + o->target_offset, count);
    return CAUCUS_OK;
}

/* Begins all operations of a step; what completes at once is complete then. */
static int open_step(struct caucus_execution *execution) {
    const struct caucus_operation *o = execution->operation;
    int status = CAUCUS_OK;
    execution->awaiting = NULL;
    if (execution->has_messages)
        caucus_messages_open(execution);
    for (;; o++) {
        switch (o->kind) {
        case CAUCUS_OPERATION_COPY:
            status = copy(execution, o);
            break;
        case CAUCUS_OPERATION_REDUCE:
            status = reduce(execution, o);
            break;
        case CAUCUS_OPERATION_SIGNAL:
            atomic_store_explicit(flag_at(execution, o->target_offset),
                                  flag_value(execution, o->length), memory_order_release);
            break;
        case CAUCUS_OPERATION_AWAIT:
            if (!execution->awaiting) {
                execution->awaiting = o;
                execution->awaited = 0;
            }
            break;
        default:
            status = caucus_messages_post(execution, o);
        }
        if (o->ends_step || status)
            break;
    }
    execution->step_last = o;
    if (!status && execution->has_messages)
        status = caucus_messages_start(execution);
    caucus_execution_enter(execution, CAUCUS_EXECUTION_IN_STEP);
    return status;
}

/* Flags only grow, so what was seen to be up need not be looked at again. */
static bool are_flags_up(struct caucus_execution *execution) {
    const struct caucus_operation *o = execution->awaiting;
    while (o) {
        int64_t value = flag_value(execution, o->length);
        for (; execution->awaited < o->peer; execution->awaited++)
            if (atomic_load_explicit(flag_at(execution, o->target_offset + execution->awaited),
                                     memory_order_acquire) < value)
                return false;
        do
            o = o == execution->step_last ? NULL : o + 1;
        while (o && o->kind != CAUCUS_OPERATION_AWAIT);
        execution->awaiting = o;
        execution->awaited = 0;
    }
    return true;
}

/* Whether the open step is complete. */
static int test_step(struct caucus_execution *execution, bool *complete) {
    bool through = true;
    bool up = !execution->awaiting || are_flags_up(execution);
    int status = CAUCUS_OK;
    if (execution->has_messages && caucus_has_open_messages(execution))
        status = caucus_messages_test(execution, &through);
    *complete = up && through;
    return status;
}

int caucus_execution_advance(struct caucus_execution *execution, bool *complete) {
    bool through;
    int status = CAUCUS_OK;
    *complete = false;
    if (caucus_execution_state(execution) == CAUCUS_EXECUTION_GATED) {
        if (!is_gate_open(execution))
            return CAUCUS_OK;
        caucus_execution_enter(execution, CAUCUS_EXECUTION_BETWEEN_STEPS);
    }
    for (;;) {
        if (caucus_execution_state(execution) == CAUCUS_EXECUTION_BETWEEN_STEPS) {
            if (execution->operation == execution->end) {
                *complete = true;
                return CAUCUS_OK;
            }
            status = open_step(execution);
        }
        if (!status)
            status = test_step(execution, &through);
        if (status || !through)
            return status;
        execution->operation = execution->step_last + 1;
        caucus_execution_enter(execution, CAUCUS_EXECUTION_BETWEEN_STEPS);
    }
}
