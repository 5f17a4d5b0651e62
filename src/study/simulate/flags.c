/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags in simulated time. Who awaits flags is in the list of each that is not there yet. */
#include "base/memory.h"
#include "base/status.h"
#include "study/simulate/internal.h"

/* The flags of a node are those of its rank with most lines: they should all have the same. */
int caucus_simulated_flags_init(struct simulator *simulator) {
    int32_t nodes = simulator->nodes ? simulator->nodes->nodes : simulator->ranks;
    int64_t flags = 0;
    for (int32_t rank = 0; rank < simulator->ranks; rank++) {
        struct node_state *node = &simulator->node[caucus_simulated_node(simulator, rank)];
        if (simulator->schedules[rank].lines > node->first_flag)
            node->first_flag = simulator->schedules[rank].lines; /* how many, for the moment */
    }
    for (int32_t node = 0; node < nodes; node++) {
        int64_t lines = simulator->node[node].first_flag;
        simulator->node[node].first_flag = flags;
        flags += lines;
    }
    if (flags > INT32_MAX)
        return caucus_fail(CAUCUS_NO_MEMORY, "%lld flags are too many", (long long)flags);
    simulator->flag_value = caucus_array(flags, sizeof *simulator->flag_value);
    simulator->flag_list = caucus_array(flags, sizeof *simulator->flag_list);
    if (!simulator->flag_value || !simulator->flag_list)
        return CAUCUS_NO_MEMORY;
    for (int64_t flag = 0; flag < flags; flag++)
        simulator->flag_list[flag] = NOBODY;
    return CAUCUS_OK;
}

void caucus_simulated_raise(struct simulator *simulator, int32_t flag, int32_t value, double now) {
    int32_t *place = &simulator->flag_list[flag];
    if (simulator->flag_value[flag] < value)
        simulator->flag_value[flag] = value;
    while (*place != NOBODY) {
        int32_t index = *place;
        struct waiting *waiting = &simulator->waiting[index];
        if (waiting->value > value) {
            place = &waiting->next;
            continue;
        }
        int32_t waiter = waiting->waiter;
        *place = waiting->next;
        waiting->next = simulator->free_waiting;
        simulator->free_waiting = index;
        simulator->waiters[waiter].end = caucus_later(simulator->waiters[waiter].end, now);
        if (--simulator->waiters[waiter].missing == 0)
            caucus_simulated_push(simulator, EVENT_LEAVE, simulator->waiters[waiter].end, waiter,
                                  0);
    }
}

int32_t caucus_simulated_leave(struct simulator *simulator, int32_t index, double *end) {
    struct waiter *waiter = &simulator->waiters[index];
    int32_t rank = waiter->rank;
    *end = waiter->end;
    caucus_simulated_tell(simulator, rank, rank, CAUCUS_OPERATION_AWAIT, waiter->begin, *end, 0);
    waiter->rank = simulator->free_waiter;
    simulator->free_waiter = index;
    return rank;
}

static int32_t new_waiter(struct simulator *simulator) {
    int32_t index = simulator->free_waiter;
    if (index != NOBODY) {
        simulator->free_waiter = simulator->waiters[index].rank;
        return index;
    }
    struct waiter *waiters =
        caucus_simulated_room(simulator, simulator->waiters, sizeof *waiters,
                              simulator->waiter_count, &simulator->waiter_room);
    if (!waiters)
        return NOBODY;
    simulator->waiters = waiters;
    return simulator->waiter_count++;
}

static int32_t new_waiting(struct simulator *simulator) {
    int32_t index = simulator->free_waiting;
    if (index != NOBODY) {
        simulator->free_waiting = simulator->waiting[index].next;
        return index;
    }
    struct waiting *waiting =
        caucus_simulated_room(simulator, simulator->waiting, sizeof *waiting,
                              simulator->waiting_count, &simulator->waiting_room);
    if (!waiting)
        return NOBODY;
    simulator->waiting = waiting;
    return simulator->waiting_count++;
}

static void wait_for(struct simulator *simulator, int32_t waiter, int64_t flag, int32_t value) {
    int32_t index = new_waiting(simulator);
    if (index == NOBODY)
        return;
    simulator->waiting[index] = (struct waiting){waiter, value, simulator->flag_list[flag]};
    simulator->flag_list[flag] = index;
    simulator->waiters[waiter].missing++;
}

/* now: when the processor has looked at all of them. */
void caucus_simulated_await(struct simulator *simulator, int32_t rank,
                            const struct caucus_operation *operation, double begin, double now) {
    int64_t first = simulator->node[caucus_simulated_node(simulator, rank)].first_flag +
                    operation->target_offset;
    int32_t index = new_waiter(simulator);
    if (index == NOBODY)
        return;
    simulator->waiters[index] = (struct waiter){rank, 0, begin, now};
    for (int64_t flag = first; flag < first + operation->peer; flag++)
        if (simulator->flag_value[flag] < operation->length)
            wait_for(simulator, index, flag, (int32_t)operation->length);
    if (simulator->waiters[index].missing == 0)
        caucus_simulated_push(simulator, EVENT_LEAVE, now, index, 0);
}
