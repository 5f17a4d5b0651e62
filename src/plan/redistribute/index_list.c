/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/redistribute/index_list.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_index(const void *left, const void *right) {
    const struct caucus_index_piece *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

static int check(const char *name, int64_t count, const caucus_index_range *ranges) {
    int64_t elements = 0;
    if (count < 0)
        return caucus_fail(CAUCUS_BAD_COUNT, "%s_count is %lld: it must not be negative", name,
                           (long long)count);
    if (count > 0 && !ranges)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer: it must have %lld ranges",
                           name, (long long)count);
    for (int64_t i = 0; i < count; i++) {
        const caucus_index_range *range = &ranges[i];
        if (range->count < 0)
            return caucus_fail(CAUCUS_BAD_COUNT, "%s[%lld].count is %lld: it must not be negative",
                               name, (long long)i, (long long)range->count);
        int64_t end;
        if (__builtin_add_overflow(range->first, range->count, &end))
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "%s[%lld] are %lld indices from %lld on: beyond 2^63 - 2", name,
                               (long long)i, (long long)range->count, (long long)range->first);
        if (__builtin_add_overflow(elements, range->count, &elements))
            return caucus_fail(CAUCUS_BAD_COUNT, "%s has more than 2^63 - 1 indices", name);
    }
    return CAUCUS_OK;
}

/* Empty ranges have no say. */
static void take_in(struct caucus_index_list *list, int64_t count,
                    const caucus_index_range *ranges) {
    bool sorted = true;
    for (int64_t i = 0; i < count; i++) {
        if (ranges[i].count == 0)
            continue;
        struct caucus_index_piece *piece = &list->piece[list->pieces++];
        *piece = (struct caucus_index_piece){ranges[i].first, ranges[i].count, list->elements};
        list->elements += ranges[i].count;
        sorted = sorted && (list->pieces == 1 || by_index(piece - 1, piece) < 0);
    }
    if (!sorted)
        qsort(list->piece, (size_t)list->pieces, sizeof *list->piece, by_index);
}

/* Pieces that follow one another in both become one. */
static void append(struct caucus_index_list *list, struct caucus_index_piece piece) {
    if (list->pieces > 0) {
        struct caucus_index_piece *last = &list->piece[list->pieces - 1];
        if (last->first + last->count == piece.first &&
            last->position + last->count == piece.position) {
            last->count += piece.count;
            return;
        }
    }
    list->piece[list->pieces++] = piece;
}

/* Of sorted pieces, what no earlier one has stays. The rest of each lies within what the earlier
 * ones have: no gap is left between its begin and their end. */
static void part(struct caucus_index_list *list, struct caucus_index_piece *dropped,
                 int64_t *drops) {
    int64_t pieces = list->pieces;
    list->pieces = 0;
    for (int64_t i = 0; i < pieces; i++) {
        struct caucus_index_piece piece = list->piece[i];
        if (list->pieces > 0) {
            const struct caucus_index_piece *last = &list->piece[list->pieces - 1];
            int64_t end = last->first + last->count; /* may be 2^63 and more below what follows */
            if (piece.first < end) {
                int64_t covered = end - piece.first < piece.count ? end - piece.first : piece.count;
                dropped[(*drops)++] =
                    (struct caucus_index_piece){piece.first, covered, piece.position};
                piece.first += covered;
                piece.position += covered;
                piece.count -= covered;
            }
        }
        if (piece.count > 0)
            append(list, piece);
    }
}

/* The places of what was dropped, and where the same indices are in the list. */
static int64_t list_repeats(const struct caucus_index_list *list,
                            const struct caucus_index_piece *dropped, int64_t drops,
                            struct caucus_index_repeat *repeat) {
    int64_t count = 0;
    for (int64_t i = 0; i < drops; i++) {
        int64_t done = 0;
        for (int64_t at = caucus_index_list_find(list, dropped[i].first); done < dropped[i].count;
             at++) {
            struct caucus_index_piece once = caucus_index_list_part(list, at, &dropped[i], done);
            if (repeat)
                repeat[count] = (struct caucus_index_repeat){
                    once.position, dropped[i].position + done, once.count};
            count++;
            done += once.count;
        }
    }
    return count;
}

static int part_repeats(struct caucus_index_list *list, const char *name,
                        struct caucus_index_repeats *repeats) {
    struct caucus_index_piece *dropped = caucus_array(list->pieces, sizeof *dropped);
    int64_t drops = 0;
    int status = dropped ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        part(list, dropped, &drops);
    if (!status && drops > 0 && !repeats)
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "%s has index %lld twice", name,
                             (long long)dropped[0].first);
    if (!status && repeats) {
        int64_t count = list_repeats(list, dropped, drops, NULL);
        repeats->repeat = caucus_array(count, sizeof *repeats->repeat);
        status = repeats->repeat ? CAUCUS_OK : CAUCUS_NO_MEMORY;
        if (!status)
            repeats->count = list_repeats(list, dropped, drops, repeats->repeat);
    }
    free(dropped);
    return status;
}

int caucus_index_list_create(struct caucus_index_list *list, const char *name, int64_t count,
                             const caucus_index_range *ranges,
                             struct caucus_index_repeats *repeats) {
    *list = (struct caucus_index_list){0};
    if (repeats)
        *repeats = (struct caucus_index_repeats){0};
    int status = check(name, count, ranges);
    if (status)
        return status;
    list->piece = caucus_array(count, sizeof *list->piece);
    if (!list->piece)
        return CAUCUS_NO_MEMORY;
    take_in(list, count, ranges);
    status = part_repeats(list, name, repeats);
    if (status)
        caucus_index_list_free(list);
    return status;
}

void caucus_index_list_free(struct caucus_index_list *list) {
    free(list->piece);
    *list = (struct caucus_index_list){0};
}

int64_t caucus_index_list_find(const struct caucus_index_list *list, int64_t index) {
    int64_t low = 0, high = list->pieces; /* pieces before low end at or before index */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list->piece[middle].first + list->piece[middle].count <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
