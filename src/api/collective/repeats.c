/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/repeats.h"

#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "run/layout/device.h"
#include "run/layout/section.h"

#include <stdatomic.h>
#include <string.h>

/* Handles are numbers or pointers. */
#define NUMBER(handle) ((uint64_t)(uintptr_t)(handle))

enum { PLACE_BIT = 16 }; /* above the collective and what is in place */
_Static_assert(CAUCUS_COLLECTIVES << 2 < 1 << PLACE_BIT, "they share a word");

static void make_words(int place, const struct caucus_collective_call *call,
                       uint64_t word[CAUCUS_REPEAT_WORDS]) {
    uint64_t in_place = (uint64_t)(call->send.buffer == MPI_IN_PLACE) << 1 |
                        (uint64_t)(call->receive.buffer == MPI_IN_PLACE);
    word[0] = (uint64_t)(uint32_t)call->root << 32 | (uint64_t)place << PLACE_BIT |
              (uint64_t)call->collective << 2 | in_place;
    word[1] = NUMBER(call->op);
    word[2] = (uint64_t)call->send.count;
    word[3] = NUMBER(call->send.type);
    word[4] = (uint64_t)call->receive.count;
    word[5] = NUMBER(call->receive.type);
}

/* The uppermost bits of a product depend on all bits of its factors. */
static size_t set_of(const uint64_t word[CAUCUS_REPEAT_WORDS]) {
    uint64_t sum = word[0] * 0x9e3779b97f4a7c15 + word[1] * 0xbf58476d1ce4e5b9 +
                   word[2] * 0x94d049bb133111eb + word[3] * 0xd6e8feb86659fd93 +
                   word[4] * 0xc2b2ae3d27d4eb4f + word[5] * 0x165667b19e3779f9;
    return (size_t)(sum >> 56) % CAUCUS_REPEATS_SETS;
}

static bool is_same(const struct caucus_side *a, const struct caucus_side *b) {
    return a->buffer == b->buffer && a->count == b->count && a->type == b->type;
}

/* Whether the one buffer is as good as the other: a null pointer may be an error. Where one is
 * MPI_IN_PLACE, so is the other. */
static bool may_replace(const struct caucus_side *from, const struct caucus_side *to) {
    return from->buffer == to->buffer || (from->buffer && to->buffer);
}

static int64_t distance(const struct caucus_side *from, const struct caucus_side *to) {
    return (int64_t)((uintptr_t)to->buffer - (uintptr_t)from->buffer);
}

/* The long way refuses these. */
static bool may_be_wrong(const struct caucus_collective_call *call) {
    const void *section = caucus_array_section();
    return call->send.buffer == call->receive.buffer || call->send.buffer == section ||
           call->receive.buffer == section;
}

static bool move(struct caucus_prepared *prepared, const struct caucus_collective_call *call) {
    struct caucus_bound *bound = &prepared->bound;
    if (!bound->is_plain || !may_replace(&bound->send, &call->send) ||
        !may_replace(&bound->receive, &call->receive) || may_be_wrong(call))
        return false;
    int64_t sent = distance(&bound->send, &call->send);
    int64_t received = distance(&bound->receive, &call->receive);
    caucus_execution_move(prepared->execution, bound->in_receives ? received : sent,
                          bound->out_sends ? sent : received);
    bound->send = call->send;
    bound->receive = call->receive;
    return true;
}

/* What is a device's goes the long way, which finds out where it is. */
static bool is_on_device(const struct caucus_collective_call *call) {
    return caucus_device_holds(call->send.buffer) || caucus_device_holds(call->receive.buffer);
}

struct caucus_prepared *caucus_repeats_find(const struct caucus_repeats *repeats, int place,
                                            const struct caucus_collective_call *call) {
    uint64_t word[CAUCUS_REPEAT_WORDS];
    make_words(place, call, word);
    const struct caucus_repeat *entry = repeats->entry[set_of(word)], *end;
    for (end = entry + CAUCUS_REPEATS_WAYS; entry < end; entry++)
        if (entry->prepared && memcmp(entry->word, word, sizeof word) == 0)
            break;
    if (entry == end || atomic_load_explicit(&entry->prepared->busy, memory_order_acquire))
        return NULL;
    const struct caucus_bound *bound = &entry->prepared->bound;
    bool same = bound->is_known && is_same(&bound->send, &call->send) &&
                is_same(&bound->receive, &call->receive);
    if ((!same && !entry->may_move) || is_on_device(call))
        return NULL;
    return same || move(entry->prepared, call) ? entry->prepared : NULL;
}

/* Whether what the handles in a call mean can never change. */
static bool is_memorable(const struct caucus_collective_call *call) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    bool sends = shape->send.kind != CAUCUS_SIDE_ABSENT;
    bool receives = shape->receive.kind != CAUCUS_SIDE_ABSENT;
    return !shape->send.counted && !shape->receive.counted &&
           (!sends || caucus_datatype_name(call->send.type)) &&
           (!receives || caucus_datatype_name(call->receive.type)) &&
           (!shape->reduces || caucus_operation_name(call->op));
}

/* In place, and at a bcast's root, both layouts are of one buffer: work.c. */
static struct caucus_bound bound_by(const struct caucus_work *work,
                                    const struct caucus_prepared *prepared, bool is_known) {
    const struct caucus_task *task = &work->task;
    bool scatters = task->collective == CAUCUS_SCATTER;
    bool one = task->in_place || (task->collective == CAUCUS_BCAST && task->rank == task->root);
    return (struct caucus_bound){
        .send = work->call->send,
        .receive = work->call->receive,
        .is_known = is_known,
        .is_plain =
            is_known && !task->first_group && caucus_execution_is_plain(prepared->execution),
        .in_receives = one && !scatters,
        .out_sends = one && scatters,
    };
}

void caucus_repeats_keep(struct caucus_repeats *repeats, int place, const struct caucus_work *work,
                         struct caucus_prepared *prepared) {
    struct caucus_repeat made = {.prepared = prepared};
    bool is_known = prepared->kept && is_memorable(work->call);
    prepared->bound = bound_by(work, prepared, is_known);
    if (!is_known)
        return;
    make_words(place, work->call, made.word);
    made.may_move = prepared->bound.is_plain;
    struct caucus_repeat *set = repeats->entry[set_of(made.word)];
    int at = 0;
    while (at < CAUCUS_REPEATS_WAYS - 1 && memcmp(set[at].word, made.word, sizeof made.word) != 0)
        at++;
    memmove(set + 1, set, (size_t)at * sizeof *set);
    set[0] = made;
}

void caucus_repeats_forget(struct caucus_repeats *repeats, const struct caucus_prepared *prepared) {
    struct caucus_repeat *entry = repeats->entry[0];
    for (int i = 0; i < CAUCUS_REPEATS_SETS * CAUCUS_REPEATS_WAYS; i++)
        if (entry[i].prepared == prepared)
            entry[i].prepared = NULL;
}
