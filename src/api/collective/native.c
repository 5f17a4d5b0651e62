/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/native.h"

#include "api/collective/calls.h"
#include "api/collective/neighbor_order.h"
#include "api/collective/part.h"
#include "api/collective/pending.h"
#include "api/common/raise.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/layout/host_copy.h"
#include "run/progress/progress.h"
#include "run/support/mpi_status.h"
#include "run/support/polls.h"
#include "run/support/waits.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct native {
    struct caucus_pending pending; /* first */
    struct caucus_collective_call call;
    MPI_Request request;
    int64_t *arrays; /* of the call: the user may change his own */
    struct caucus_polls polls;
    int unused[2];                          /* in the place of buffers that have no elements */
    struct caucus_host_copy sent, received; /* of what lies on a device, which MPI may not know */
    bool writes;                            /* received is more than read */
    struct native *next_left;
};

/* A side of a call that matters. */
struct side {
    const struct caucus_side_shape *shape;
    struct caucus_side *of;
    int32_t blocks;
    bool in_bytes; /* displacements are MPI_Aint in any case */
};

static const char *name_of(const struct native *native) {
    return caucus_natives[native->call.collective].name;
}

/* Every wait looks again and again: so looks in vain are all that is to be limited. */
static bool is_late(struct native *native) {
    struct caucus_request_object *request = native->pending.request;
    double timeout = request->context->timeout;
    if (timeout <= 0 || !atomic_exchange(&request->looked, false))
        return false;
    return caucus_polls_too_long(&native->polls, caucus_seconds(), timeout);
}

static int advance(struct caucus_pending *pending, bool *complete) {
    struct native *native = (struct native *)pending;
    const struct caucus_context *context = pending->request->context;
    int done = 0;
    int status =
        caucus_mpi_status(PMPI_Test(&native->request, &done, MPI_STATUS_IGNORE), name_of(native));
    *complete = done;
    if (!status && done && native->writes)
        status = caucus_host_copy_write_back(&native->received);
    if (status || done || !is_late(native))
        return status;
    return caucus_fail(CAUCUS_TIMED_OUT,
                       "after %g seconds, it still waits in %s, which is MPI's own and does "
                       "not tell for whom",
                       context->timeout, name_of(native));
}

static void tell(const struct caucus_pending *pending, struct caucus_waits *waits) {
    const struct native *native = (const struct native *)pending;
    caucus_waits_line(waits, MPI_COMM_NULL,
                      "waits in %s, which is MPI's own and does not tell for whom",
                      name_of(native));
}

/* One that took too long goes on within MPI, with all that it uses, in a list, so that it is not
 * taken for a leak. */
static void leave(struct native *native) {
    static struct native *_Atomic left_behind;
    native->next_left = left_behind;
    while (!atomic_compare_exchange_weak(&left_behind, &native->next_left, native))
        continue;
}

static void free_native(struct caucus_pending *pending) {
    struct native *native = (struct native *)pending;
    if (pending->request)
        pending->request->context->natives--;
    if (native->request != MPI_REQUEST_NULL) {
        leave(native);
        return;
    }
    caucus_host_copy_free(&native->sent);
    caucus_host_copy_free(&native->received);
    free(native->arrays);
    free(native);
}

/* Those that matter; the call is checked. Returns how many there are. */
static int find_sides(struct caucus_collective_call *call, const struct caucus_context *context,
                      struct side sides[2]) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    struct caucus_part part = caucus_part_of(call, context);
    bool in_bytes = call->collective == CAUCUS_NEIGHBOR_ALLTOALLW;
    int count = 0;
    if (part.sends)
        sides[count++] = (struct side){&shape->send, &call->send,
                                       caucus_part_given(context, shape, false), in_bytes};
    if (part.receives)
        sides[count++] = (struct side){&shape->receive, &call->receive,
                                       caucus_part_given(context, shape, true), in_bytes};
    return count;
}

static bool fits(const struct side *side) {
    const struct caucus_side *of = side->of;
    bool scattered = of->displacements.entry && !side->in_bytes;
    if (!side->shape->counted)
        return of->count <= INT_MAX;
    for (int32_t i = 0; i < side->blocks; i++) {
        int64_t place = scattered ? caucus_number(&of->displacements, i) : 0;
        if (caucus_number(&of->counts, i) > INT_MAX || place < INT_MIN || place > INT_MAX)
            return false;
    }
    return true;
}

static void copy_numbers(struct caucus_numbers *numbers, int32_t count, int64_t *room,
                         enum caucus_number_kind kind) {
    for (int32_t i = 0; i < count; i++) {
        int64_t value = caucus_number(numbers, i);
        if (kind == CAUCUS_NUMBER_INT)
            ((int *)room)[i] = (int)value;
        else if (kind == CAUCUS_NUMBER_COUNT)
            ((MPI_Count *)room)[i] = (MPI_Count)value;
        else
            ((MPI_Aint *)room)[i] = (MPI_Aint)value;
    }
    *numbers = (struct caucus_numbers){room, kind};
}

/* Returns what is left of the room. */
static int64_t *copy_arrays(const struct side *side, bool large, int64_t *room) {
    struct caucus_side *of = side->of;
    int32_t blocks = side->blocks;
    if (!side->shape->counted || blocks == 0)
        return room;
    copy_numbers(&of->counts, blocks, room, large ? CAUCUS_NUMBER_COUNT : CAUCUS_NUMBER_INT);
    room += blocks;
    if (of->displacements.entry) {
        bool wide = large || side->in_bytes;
        copy_numbers(&of->displacements, blocks, room,
                     wide ? CAUCUS_NUMBER_AINT : CAUCUS_NUMBER_INT);
        room += blocks;
    }
    if (side->shape->kind == CAUCUS_SIDE_TYPED) {
        of->types = memcpy(room, of->types, (size_t)blocks * sizeof *of->types);
        room += blocks;
    }
    return room;
}

/* MPI may look at what nothing is to be said of: whoever has no part gives what is always good. To
 * Open MPI 5.0.11 a reduction of nothing is no call at all, which those without a part cannot know:
 * what follows would meet in wrong pairs, and so something is reduced. */
static void tidy_between(struct native *native, const struct caucus_context *context) {
    struct caucus_collective_call *call = &native->call;
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    bool idle = call->root == MPI_PROC_NULL;
    if (!context->between || !shape->rooted || !(idle || (shape->reduces && !call->receive.count)))
        return;
    call->send = (struct caucus_side){.buffer = &native->unused[0], .count = 1, .type = MPI_INT};
    call->receive = (struct caucus_side){.buffer = &native->unused[1], .count = 1, .type = MPI_INT};
    if (shape->reduces)
        call->op = MPI_SUM;
}

/* A block for each rank of the other group as lists that say so: MPICH 5.0.2 and Intel MPI 2021.18
 * broadcast wrong data between groups, so that the root scatters one block to all, and MPICH 5.0.2
 * hangs in MPI_Iscatter where ranks give the same bytes by other types (docs/mpi-faults.md). */
static bool goes_by_lists(const struct caucus_collective_call *call,
                          const struct caucus_context *context) {
    const enum caucus_collective collective = call->collective;
    return context->between && (collective == CAUCUS_BCAST || collective == CAUCUS_SCATTER ||
                                collective == CAUCUS_GATHER);
}

/* *lists: to be freed. */
static int take_lists(struct caucus_collective_call *call, const struct caucus_context *context,
                      MPI_Aint **lists) {
    const bool broadcasts = call->collective == CAUCUS_BCAST;
    const bool gathers = call->collective == CAUCUS_GATHER;
    const int32_t ranks = context->remote.size;
    MPI_Aint *numbers = *lists = caucus_array(2 * (int64_t)ranks, sizeof *numbers);
    if (!numbers)
        return CAUCUS_NO_MEMORY;
    call->collective = gathers ? CAUCUS_GATHERV : CAUCUS_SCATTERV;
    if (broadcasts) {
        const struct caucus_side none = {.type = MPI_INT};
        call->send = call->root == MPI_ROOT ? call->receive : none;
        call->receive = call->root == MPI_ROOT ? none : call->receive;
    }
    if (call->root != MPI_ROOT)
        return CAUCUS_OK;
    struct caucus_side *all = gathers ? &call->receive : &call->send;
    for (int32_t i = 0; i < ranks; i++) {
        numbers[i] = (MPI_Aint)all->count;
        numbers[ranks + i] = broadcasts ? 0 : (MPI_Aint)(i * all->count);
    }
    all->counts = (struct caucus_numbers){numbers, CAUCUS_NUMBER_AINT};
    all->displacements = (struct caucus_numbers){numbers + ranks, CAUCUS_NUMBER_AINT};
    return CAUCUS_OK;
}

/* The call with arrays of its own, in integers that MPI's function takes. */
static int take_over(struct native *native, const struct caucus_context *context, bool *large) {
    struct side sides[2];
    int count = find_sides(&native->call, context, sides);
    int64_t *room, entries = 1;
    *large = false;
    for (int i = 0; i < count; i++) {
        *large = *large || !fits(&sides[i]);
        entries += INT64_C(3) * sides[i].blocks;
    }
#ifndef CAUCUS_HAVE_LARGE_COLLECTIVES
    if (*large)
        return caucus_fail(CAUCUS_BAD_COUNT,
                           "this MPI's %s takes no counts and displacements above %d: the "
                           "communicator must be attached first, by caucus_comm_attach",
                           name_of(native), INT_MAX);
#endif
    room = native->arrays = caucus_array(entries, sizeof *room);
    for (int i = 0; i < count && room; i++)
        room = copy_arrays(&sides[i], *large, room);
    tidy_between(native, context);
    return room ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static int check(const struct caucus_collective_call *call, struct caucus_context *context) {
    struct caucus_collective_call tidied = *call;
    struct caucus_work work;
    caucus_part_tidy(&tidied, context);
    int status = caucus_call_read(&work, &tidied, context);
    if (!status)
        caucus_work_free(&work);
    return status;
}

static int copy_side(const struct caucus_view *view, struct caucus_side *side,
                     struct caucus_host_copy *copy) {
    struct caucus_layout layout;
    copy->buffer = side->buffer;
    int status = caucus_view_layout(view, &layout);
    if (!status)
        status = caucus_host_copy_of(copy, &layout);
    side->buffer = copy->buffer;
    return status;
}

/* Copies of what lies on devices, in the place of the user's buffers. */
static int copy_from_device(struct native *native, struct caucus_context *context) {
    struct caucus_collective_call tidied = native->call;
    struct caucus_work work;
    if (!caucus_device_look())
        return CAUCUS_OK;
    caucus_part_tidy(&tidied, context);
    int status = caucus_call_read(&work, &tidied, context);
    if (status)
        return status;
    const struct caucus_task *task = &work.task;
    bool is_root = context->between ? native->call.root == MPI_ROOT : task->rank == task->root;
    native->writes = task->collective != CAUCUS_BCAST || !is_root;
    status = copy_side(&work.send, &native->call.send, &native->sent);
    if (!status)
        status = copy_side(&work.receive, &native->call.receive, &native->received);
    caucus_work_free(&work);
    return status;
}

/* *failed: MPI's own call did, and has called the error handler. */
static int call_mpi(struct native *native, struct caucus_context *context, bool large,
                    int *failed) {
    const struct caucus_collective_call *call = &native->call;
    struct caucus_request_object *request = caucus_request_create(context, call->op);
    if (!request)
        return CAUCUS_NO_MEMORY;
    *failed = caucus_natives[call->collective].begin(call, large, &native->request);
    if (*failed) {
        native->request = MPI_REQUEST_NULL;
        caucus_request_destroy(request);
        return caucus_mpi_status(*failed, name_of(native));
    }
    *call->request = request;
    context->natives++;
    caucus_pending_add(&native->pending, request);
    return CAUCUS_OK;
}

static int begin(const struct caucus_collective_call *call, struct caucus_context *context,
                 int *failed) {
    struct native *native = caucus_array(1, sizeof *native);
    if (!native)
        return CAUCUS_NO_MEMORY;
    *native = (struct native){.pending = {.advance = advance, .tell = tell, .free = free_native},
                              .call = *call,
                              .request = MPI_REQUEST_NULL};
    MPI_Aint *lists = NULL;
    void *ordered = NULL;
    bool large;
    int status = copy_from_device(native, context);
    if (!status && goes_by_lists(call, context))
        status = take_lists(&native->call, context, &lists);
    else if (!status)
        status = caucus_neighbor_order(&native->call, &ordered);
    if (!status)
        status = take_over(native, context, &large);
    free(lists);
    free(ordered);
    if (!status)
        status = call_mpi(native, context, large, failed);
    if (status)
        free_native(&native->pending);
    return status;
}

/* A rank between two groups that errs makes MPI count as many calls as it does on those who have no
 * part in one with a root, and so no error: whatever comes next finds all ranks in step. MPI has
 * nothing to do for such a call, and no rank to wait for. */
static void take_no_part(const struct caucus_collective_call *call,
                         const struct caucus_context *context) {
    if (!context->between || !caucus_shapes[call->collective].rooted)
        return;
    struct native *native = caucus_array(1, sizeof *native);
    MPI_Aint *lists = NULL;
    bool large;
    int done, status = CAUCUS_OK;
    if (!native)
        return;
    *native = (struct native){.call = *call, .request = MPI_REQUEST_NULL};
    native->call.root = MPI_PROC_NULL;
    if (goes_by_lists(call, context))
        status = take_lists(&native->call, context, &lists);
    if (!status)
        status = take_over(native, context, &large);
    free(lists);
    if (!status &&
        !caucus_natives[native->call.collective].begin(&native->call, large, &native->request))
        PMPI_Test(&native->request, &done, MPI_STATUS_IGNORE);
    free_native(&native->pending);
}

int caucus_native_run(const struct caucus_collective_call *call, struct caucus_context *context) {
    struct native native = {.call = *call, .request = MPI_REQUEST_NULL};
    int status = copy_from_device(&native, context);
    if (!status)
        status =
            caucus_mpi_status(caucus_natives[call->collective].run(&native.call), name_of(&native));
    if (!status && native.writes)
        status = caucus_host_copy_write_back(&native.received);
    caucus_host_copy_free(&native.sent);
    caucus_host_copy_free(&native.received);
    return status;
}

void caucus_native_await(const struct caucus_context *context) {
    while (context->natives > 0) {
        caucus_progress();
        sched_yield();
    }
}

int caucus_native_begin(const struct caucus_collective_call *call, struct caucus_context *context) {
    int failed = MPI_SUCCESS, status = check(call, context);
    if (!status)
        status = begin(call, context, &failed);
    if (status)
        take_no_part(call, context);
    if (!failed)
        return caucus_context_raise(context, false, call->function, status);
    caucus_fail_in(status, "%s", call->function);
    caucus_keep_raised();
    return failed;
}
