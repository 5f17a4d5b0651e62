/* SPDX-License-Identifier: BSD-3-Clause */
/* Open addressing, one place after the other. */
#include "base/table.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 16 };

static uint64_t mix(uint64_t word) { /* the finalizer of MurmurHash3 */
    word = (word ^ word >> 33) * 0xff51afd7ed558ccdu;
    word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53u;
    return word ^ word >> 33;
}

static int64_t home(const struct caucus_table *table, struct caucus_table_key key) {
    return (int64_t)(mix(mix(key.first) + key.second) & (uint64_t)(table->room - 1));
}

static int64_t after(const struct caucus_table *table, int64_t place) {
    return (place + 1) & (table->room - 1);
}

/* Where the key is, or the free place where it belongs. */
static int64_t place_of(const struct caucus_table *table, struct caucus_table_key key) {
    int64_t place = home(table, key);
    while (table->entry[place].used && (table->entry[place].key.first != key.first ||
                                        table->entry[place].key.second != key.second))
        place = after(table, place);
    return place;
}

int64_t *caucus_table_find(const struct caucus_table *table, struct caucus_table_key key) {
    if (table->used == 0)
        return NULL;
    struct caucus_table_entry *entry = &table->entry[place_of(table, key)];
    return entry->used ? &entry->value : NULL;
}

static bool grow(struct caucus_table *table) {
    struct caucus_table larger = {.room = table->room ? 2 * table->room : FIRST_ROOM};
    larger.entry = caucus_array(larger.room, sizeof *larger.entry);
    if (!larger.entry)
        return false;
    for (int64_t i = 0; i < table->room; i++)
        if (table->entry[i].used)
            larger.entry[place_of(&larger, table->entry[i].key)] = table->entry[i];
    larger.used = table->used;
    free(table->entry);
    *table = larger;
    return true;
}

bool caucus_table_reserve(struct caucus_table *table, int64_t more) {
    while (3 * (table->used + more) > 2 * table->room)
        if (!grow(table))
            return false;
    return true;
}

int64_t *caucus_table_at(struct caucus_table *table, struct caucus_table_key key) {
    int64_t *there = caucus_table_find(table, key);
    if (there)
        return there;
    if (!caucus_table_reserve(table, 1))
        return NULL;
    struct caucus_table_entry *entry = &table->entry[place_of(table, key)];
    *entry = (struct caucus_table_entry){.key = key, .used = true};
    table->used++;
    return &entry->value;
}

/* Those behind it move up, so that none is cut off from its home. */
void caucus_table_remove(struct caucus_table *table, struct caucus_table_key key) {
    if (!caucus_table_find(table, key))
        return;
    int64_t hole = place_of(table, key), place = hole;
    table->used--;
    for (;;) {
        place = after(table, place);
        struct caucus_table_entry *entry = &table->entry[place];
        if (!entry->used)
            break;
        int64_t way = (place - home(table, entry->key)) & (table->room - 1);
        if (way < ((place - hole) & (table->room - 1)))
            continue;
        table->entry[hole] = *entry;
        hole = place;
    }
    table->entry[hole].used = false;
}

void caucus_table_free(struct caucus_table *table) {
    free(table->entry);
    *table = (struct caucus_table){0};
}
