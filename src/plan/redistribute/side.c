/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/redistribute/side.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>

/* While they are sorted, the rank of a record is the distance of the peer. */
static int by_distance_and_position(const void *left, const void *right) {
    const struct caucus_index_record *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

/* How far one rank is above another, around the end. */
static int32_t above(int32_t rank, int32_t other, int32_t ranks) {
    return rank >= other ? rank - other : rank - other + ranks;
}

/* The side's records first, in its order. Returns how many. */
static int64_t select_records(enum caucus_index_role role, struct caucus_index_record *records,
                              int64_t count, int32_t rank, int32_t ranks) {
    int64_t selected = 0;
    for (int64_t i = 0; i < count; i++) {
        struct caucus_index_record record = records[i];
        if (record.role != (int32_t)role)
            continue;
        records[i] = records[selected];
        record.rank = role == CAUCUS_INDEX_SEND ? above(record.rank, rank, ranks)
                                                : above(rank, record.rank, ranks);
        records[selected++] = record;
    }
    if (selected > 1) /* there may be no array */
        qsort(records, (size_t)selected, sizeof *records, by_distance_and_position);
    return selected;
}

/* Appends a part; only counts it where there is no memory yet. joins: to the one before it where
 * they follow one another. */
static void add_part(struct caucus_index_side *side, struct caucus_index_part part, bool joins) {
    if (side->part && joins && side->parts > 0) {
        struct caucus_index_part *last = &side->part[side->parts - 1];
        if (last->position + last->count == part.position) {
            last->count += part.count;
            return;
        }
    }
    if (side->part)
        side->part[side->parts] = part;
    side->parts++;
}

/* The places of the record's indices. */
static void add_places(struct caucus_index_side *side, const struct caucus_index_list *list,
                       const struct caucus_index_record *record, bool joins) {
    struct caucus_index_piece indices = {record->first, record->count, 0}, part;
    int64_t at = caucus_index_list_find(list, record->first);
    for (int64_t done = 0; done < record->count; done += part.count, joins = true) {
        part = caucus_index_list_part(list, at++, &indices, done);
        add_part(side, (struct caucus_index_part){part.position, part.count}, joins);
    }
}

static void add_repeats(struct caucus_index_side *side,
                        const struct caucus_index_repeats *repeats) {
    side->repeated = 0;
    for (int64_t i = 0; repeats && i < repeats->count; i++)
        side->repeated += repeats->repeat[i].count;
    for (int again = 0; repeats && again < 2; again++)
        for (int64_t i = 0; i < repeats->count; i++) {
            const struct caucus_index_repeat *repeat = &repeats->repeat[i];
            add_part(
                side,
                (struct caucus_index_part){again ? repeat->again : repeat->once, repeat->count},
                i > 0);
        }
}

static void write(struct caucus_index_side *side, enum caucus_index_role role,
                  const struct caucus_index_record *records, int64_t count, int32_t rank,
                  int32_t ranks, const struct caucus_index_list *list,
                  const struct caucus_index_repeats *repeats) {
    int64_t elements = 0;
    side->peers = 0;
    side->parts = 0;
    for (int64_t i = 0; i < count; i++) {
        bool begins = i == 0 || records[i].rank != records[i - 1].rank;
        if (begins) {
            int32_t distance = records[i].rank;
            if (side->peer) {
                side->peer[side->peers] =
                    role == CAUCUS_INDEX_SEND
                        ? (int32_t)(((int64_t)rank + distance) % ranks)
                        : (int32_t)(((int64_t)rank - distance + ranks) % ranks);
                side->begin[side->peers] = elements;
            }
            side->peers++;
        }
        add_places(side, list, &records[i], !begins);
        elements += records[i].count;
    }
    if (side->begin)
        side->begin[side->peers] = elements;
    add_repeats(side, repeats);
}

int caucus_index_side_create(struct caucus_index_side *side, enum caucus_index_role role,
                             struct caucus_index_record *records, int64_t count, int32_t rank,
                             int32_t ranks, const struct caucus_index_list *list,
                             const struct caucus_index_repeats *repeats) {
    *side = (struct caucus_index_side){0};
    int64_t selected = select_records(role, records, count, rank, ranks);
    write(side, role, records, selected, rank, ranks, list, repeats);
    side->peer = caucus_array(side->peers, sizeof *side->peer);
    side->begin = caucus_array((int64_t)side->peers + 1, sizeof *side->begin);
    side->part = caucus_array(side->parts, sizeof *side->part);
    if (!side->peer || !side->begin || !side->part) {
        caucus_index_side_free(side);
        return CAUCUS_NO_MEMORY;
    }
    write(side, role, records, selected, rank, ranks, list, repeats);
    return CAUCUS_OK;
}

void caucus_index_side_free(struct caucus_index_side *side) {
    free(side->peer);
    free(side->begin);
    free(side->part);
    *side = (struct caucus_index_side){0};
}
