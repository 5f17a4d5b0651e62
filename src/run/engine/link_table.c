/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/link_table.h"

#include <stddef.h>

enum { LEAST_LINKS = 1 << 10, MOST_LINKS = 1 << 14, LINKS_OF_A_PAIR = 32 };
enum { UNDECIDED, NO_LINK, FIRST_LINK }; /* in the place of a pair */

static int32_t count_links(int32_t ranks) {
    int64_t wanted = (int64_t)ranks * ranks * LINKS_OF_A_PAIR;
    return (int32_t)(wanted < LEAST_LINKS  ? LEAST_LINKS
                     : wanted > MOST_LINKS ? MOST_LINKS
                                           : wanted);
}

static int64_t bytes_of(int32_t ranks) {
    return count_links(ranks) * (int64_t)sizeof(struct caucus_link) +
           ranks * (int64_t)sizeof(struct caucus_bounce);
}

int64_t caucus_link_table_bytes(int32_t ranks) {
    return (int64_t)sizeof(struct caucus_node_block) + bytes_of(ranks);
}

void caucus_link_table_take(struct caucus_node_memory *memory, int32_t ranks,
                            struct caucus_link_table *table) {
    const int64_t bytes = bytes_of(ranks);
    *table = (struct caucus_link_table){.count = count_links(ranks)};
    if (caucus_node_memory_take(memory, bytes, bytes, 1, &table->block))
        return;
    table->bounce = (struct caucus_bounce *)(void *)(table->block + 1);
    table->link = (struct caucus_link *)(void *)(table->bounce + ranks);
}

void caucus_link_table_let_go(struct caucus_link_table *table) {
    if (table->block)
        caucus_node_memory_let_go(table->block);
    *table = (struct caucus_link_table){.count = 0};
}

/* Where others of the node look for one at the same time, each begins somewhere else. */
static uint16_t claim_link(const struct caucus_link_table *table, const void *place) {
    uint32_t first = (uint32_t)((uintptr_t)place / sizeof(uint16_t)) % (uint32_t)table->count;
    for (uint32_t i = 0; i < (uint32_t)table->count; i++) {
        uint32_t at = (first + i) % (uint32_t)table->count;
        struct caucus_link *link = &table->link[at];
        int16_t nobody = 0;
        if (atomic_load_explicit(&link->holders, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_strong(&link->holders, &nobody, 2)) {
            atomic_store_explicit(&link->posted, 0, memory_order_relaxed);
            atomic_store_explicit(&link->accepted, 0, memory_order_relaxed);
            atomic_store_explicit(&link->taken, 0, memory_order_relaxed);
            return (uint16_t)(at + FIRST_LINK);
        }
    }
    return NO_LINK;
}

static uint16_t decide(const struct caucus_link_table *table, _Atomic uint16_t *place) {
    uint16_t claimed = claim_link(table, place), decided = UNDECIDED;
    if (atomic_compare_exchange_strong(place, &decided, claimed))
        return claimed;
    if (claimed >= FIRST_LINK) /* the other end was first */
        atomic_store(&table->link[claimed - FIRST_LINK].holders, 0);
    return decided;
}

struct caucus_link *caucus_link_at(const struct caucus_link_table *table, _Atomic uint16_t *place) {
    uint16_t decided = atomic_load_explicit(place, memory_order_acquire);
    if (decided == UNDECIDED)
        decided = decide(table, place);
    return decided >= FIRST_LINK ? &table->link[decided - FIRST_LINK] : NULL;
}

void caucus_link_let_go(const struct caucus_link_table *table, _Atomic uint16_t *place) {
    uint16_t decided = atomic_load_explicit(place, memory_order_acquire);
    if (decided >= FIRST_LINK)
        atomic_fetch_sub(&table->link[decided - FIRST_LINK].holders, 1);
}
