/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends meet receives: between two ranks the n-th send the n-th receive, whichever is issued
 * first. Pairs of ranks of which one side waits are in a hash table with linear probing. */
#include "base/memory.h"
#include "base/status.h"
#include "study/simulate/internal.h"

#include <stdlib.h>

enum { FIRST_PAIRS = 1 << 10 };

static uint64_t key_of(const struct simulator *simulator, int32_t source, int32_t target) {
    return (uint64_t)source * (uint64_t)simulator->ranks + (uint64_t)target + 1;
}

static int64_t home(const struct simulator *simulator, uint64_t key) {
    uint64_t mixed = key * 0x9e3779b97f4a7c15u;
    return (int64_t)((mixed ^ mixed >> 29) & (uint64_t)(simulator->pair_room - 1));
}

/* Where the key is, or where it would go. */
static int64_t slot(const struct simulator *simulator, uint64_t key) {
    int64_t at = home(simulator, key);
    while (simulator->pairs[at].key && simulator->pairs[at].key != key)
        at = (at + 1) & (simulator->pair_room - 1);
    return at;
}

static bool grow_pairs(struct simulator *simulator) {
    struct pair *before = simulator->pairs;
    int64_t room = simulator->pair_room;
    int64_t larger = room ? 2 * room : FIRST_PAIRS;
    struct pair *pairs = caucus_array(larger, sizeof *pairs);
    if (!pairs) {
        simulator->status = CAUCUS_NO_MEMORY;
        return false;
    }
    simulator->pairs = pairs;
    simulator->pair_room = larger;
    for (int64_t i = 0; i < room; i++)
        if (before[i].key)
            pairs[slot(simulator, before[i].key)] = before[i];
    free(before);
    return true;
}

/* Entries that would not be found any more across the gap are moved into it. */
static void remove_pair(struct simulator *simulator, int64_t gap) {
    int64_t mask = simulator->pair_room - 1;
    for (int64_t at = (gap + 1) & mask; simulator->pairs[at].key; at = (at + 1) & mask) {
        int64_t wanted = home(simulator, simulator->pairs[at].key);
        if (((at - wanted) & mask) >= ((at - gap) & mask)) {
            simulator->pairs[gap] = simulator->pairs[at];
            gap = at;
        }
    }
    simulator->pairs[gap].key = 0;
    simulator->pair_count--;
}

static int32_t new_message(struct simulator *simulator, int32_t source, int32_t target,
                           int64_t bytes) {
    int32_t index = simulator->free_message;
    if (index != NOBODY) {
        simulator->free_message = simulator->messages[index].next_of_pair;
    } else {
        struct message *messages =
            caucus_simulated_room(simulator, simulator->messages, sizeof *messages,
                                  simulator->message_count, &simulator->message_room);
        if (!messages)
            return NOBODY;
        simulator->messages = messages;
        index = simulator->message_count++;
    }
    simulator->messages[index] = (struct message){.bytes = bytes,
                                                  .source = source,
                                                  .target = target,
                                                  .posted = -1,
                                                  .arrived = -1,
                                                  .next_of_pair = NOBODY,
                                                  .next_to_send = NOBODY};
    return index;
}

static int32_t append(struct simulator *simulator, int64_t at, int32_t source, int32_t target,
                      int64_t bytes) {
    int32_t index = new_message(simulator, source, target, bytes);
    struct pair *pair = &simulator->pairs[at];
    if (index == NOBODY)
        return NOBODY;
    if (pair->key) {
        simulator->messages[pair->last].next_of_pair = index;
        pair->last = index;
        return index;
    }
    *pair = (struct pair){key_of(simulator, source, target), index, index};
    simulator->pair_count++;
    return index;
}

static int32_t unequal(struct simulator *simulator, const struct message *message, int64_t bytes,
                       bool sends) {
    simulator->status =
        caucus_fail(CAUCUS_BAD_ARGUMENT,
                    "rank %d sends %lld bytes to rank %d, which has posted a receive of %lld",
                    message->source, (long long)(sends ? bytes : message->bytes), message->target,
                    (long long)(sends ? message->bytes : bytes));
    return NOBODY;
}

/* Takes what waits on the other side, or waits. */
static int32_t meet(struct simulator *simulator, int32_t source, int32_t target, int64_t bytes,
                    bool sends) {
    if (2 * simulator->pair_count >= simulator->pair_room && !grow_pairs(simulator))
        return NOBODY;
    int64_t at = slot(simulator, key_of(simulator, source, target));
    struct pair *pair = &simulator->pairs[at];
    if (!pair->key || simulator->messages[pair->first].sent == sends)
        return append(simulator, at, source, target, bytes);
    int32_t index = pair->first;
    struct message *message = &simulator->messages[index];
    if (message->bytes != bytes)
        return unequal(simulator, message, bytes, sends);
    pair->first = message->next_of_pair;
    if (pair->first == NOBODY)
        remove_pair(simulator, at);
    return index;
}

int32_t caucus_simulated_send(struct simulator *simulator, int32_t source, int32_t target,
                              int64_t bytes) {
    int32_t index = meet(simulator, source, target, bytes, true);
    if (index != NOBODY)
        simulator->messages[index].sent = true;
    return index;
}

int32_t caucus_simulated_receive(struct simulator *simulator, int32_t source, int32_t target,
                                 int64_t bytes) {
    return meet(simulator, source, target, bytes, false);
}

void caucus_simulated_forget(struct simulator *simulator, int32_t message) {
    simulator->messages[message].next_of_pair = simulator->free_message;
    simulator->free_message = message;
}

bool caucus_simulated_awaits_send(const struct simulator *simulator, int32_t source,
                                  int32_t target) {
    if (simulator->pair_room == 0)
        return false;
    const struct pair *pair = &simulator->pairs[slot(simulator, key_of(simulator, source, target))];
    return pair->key && !simulator->messages[pair->first].sent;
}
