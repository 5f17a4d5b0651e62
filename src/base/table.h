/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by keys of 128 bits. */
#ifndef CAUCUS_BASE_TABLE_H
#define CAUCUS_BASE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_table_key {
    uint64_t first, second;
};

/* Empty where all of it is zero; at most 2/3 full. */
struct caucus_table {
    int64_t room, used;
    struct caucus_table_entry {
        struct caucus_table_key key;
        int64_t value;
        bool used;
    } *entry;
};

/* NULL where it is not there. Valid until something is put in or taken out. */
int64_t *caucus_table_find(const struct caucus_table *table, struct caucus_table_key key);

/* Finds it or puts 0 in; NULL without memory. O(1) on average. */
int64_t *caucus_table_at(struct caucus_table *table, struct caucus_table_key key);

/* Makes room for so many more, so that putting them in cannot fail. */
bool caucus_table_reserve(struct caucus_table *table, int64_t more);

/* Takes it out, if it is there. */
void caucus_table_remove(struct caucus_table *table, struct caucus_table_key key);

void caucus_table_free(struct caucus_table *table);

#endif
