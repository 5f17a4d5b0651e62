/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep over the indices: between two places where a rank begins or ceases to have them, the
 * ranks that do are the same, and everybody who wants these indices is served by them.
 *
 *     has    0 |-------------|
 *            1        |--------------|
 *     wants  4     |-------------|
 *            gets  0  0 or 1  1
 *
 * Time: n log n for n records, and for each such place all who have or want these indices. */
#include "plan/redistribute/directory.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct pair {
    int64_t first, count, position;
    int32_t source, target;
};

/* Somebody who wants indices: next is the first that he has not been given, at position. */
struct wanting {
    int64_t next, end, position;
    int32_t rank;
    int64_t pair; /* the last one that serves him; -1 for none */
};

struct holder {
    int64_t end;
    int32_t rank;
};

struct sweep {
    const struct caucus_index_record *has, *has_end, *wants, *wants_end;
    struct holder *holder; /* of the indices at hand, in the order of ranks */
    int64_t holders;
    struct wanting *wanting;
    int64_t wanting_count;
    struct pair *pair; /* of all */
    int64_t pairs, room;
    struct caucus_index_missing missing;
};

static int by_role_and_index(const void *left, const void *right) {
    const struct caucus_index_record *a = left, *b = right;
    if (a->role != b->role)
        return a->role < b->role ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int32_t source_for(const struct sweep *sweep, int32_t rank) {
    int64_t low = 0, high = sweep->holders;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sweep->holder[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < sweep->holders && sweep->holder[low].rank == rank)
        return rank;
    return sweep->holder[rank % sweep->holders].rank;
}

static int add_pair(struct sweep *sweep, struct wanting *wanting, int64_t count, int32_t source) {
    if (wanting->pair >= 0) {
        struct pair *last = &sweep->pair[wanting->pair];
        if (last->source == source && last->first + last->count == wanting->next) {
            last->count += count;
            return CAUCUS_OK;
        }
    }
    void *larger = caucus_array_grow(sweep->pair, sweep->pairs, &sweep->room, sizeof *sweep->pair);
    if (!larger)
        return CAUCUS_NO_MEMORY;
    sweep->pair = larger;
    wanting->pair = sweep->pairs;
    sweep->pair[sweep->pairs++] =
        (struct pair){wanting->next, count, wanting->position, source, wanting->rank};
    return CAUCUS_OK;
}

static void miss(struct sweep *sweep, const struct wanting *wanting) {
    struct caucus_index_missing *missing = &sweep->missing;
    bool lower = wanting->rank < missing->rank ||
                 (wanting->rank == missing->rank && wanting->next < missing->index);
    if (!missing->is_missing || lower)
        *missing = (struct caucus_index_missing){true, wanting->rank, wanting->next};
}

/* The holders at hand serve everybody up to an index. */
static int serve(struct sweep *sweep, int64_t end) {
    int status = CAUCUS_OK;
    int64_t kept = 0;
    for (; sweep->wants < sweep->wants_end && sweep->wants->first < end; sweep->wants++)
        sweep->wanting[sweep->wanting_count++] =
            (struct wanting){sweep->wants->first, sweep->wants->first + sweep->wants->count,
                             sweep->wants->position, sweep->wants->rank, -1};
    for (int64_t i = 0; i < sweep->wanting_count; i++) {
        struct wanting *wanting = &sweep->wanting[i];
        int64_t until = wanting->end < end ? wanting->end : end;
        if (sweep->holders == 0)
            miss(sweep, wanting);
        else if (!status)
            status =
                add_pair(sweep, wanting, until - wanting->next, source_for(sweep, wanting->rank));
        wanting->position += until - wanting->next;
        wanting->next = until;
        if (until < wanting->end)
            sweep->wanting[kept++] = *wanting;
    }
    sweep->wanting_count = kept;
    return status;
}

static void drop_holders(struct sweep *sweep, int64_t end) {
    int64_t kept = 0;
    for (int64_t i = 0; i < sweep->holders; i++)
        if (sweep->holder[i].end > end)
            sweep->holder[kept++] = sweep->holder[i];
    sweep->holders = kept;
}

static void add_holder(struct sweep *sweep) {
    struct holder added = {sweep->has->first + sweep->has->count, sweep->has->rank};
    int64_t at = sweep->holders++;
    for (; at > 0 && sweep->holder[at - 1].rank > added.rank; at--)
        sweep->holder[at] = sweep->holder[at - 1];
    sweep->holder[at] = added;
    sweep->has++;
}

/* Where the set of holders changes next; the end of all indices where it never does. */
static int64_t next_change(const struct sweep *sweep) {
    int64_t next = sweep->has < sweep->has_end ? sweep->has->first : INT64_MAX;
    for (int64_t i = 0; i < sweep->holders; i++)
        if (sweep->holder[i].end < next)
            next = sweep->holder[i].end;
    return next;
}

/* Serves all who want something in one direction. */
static int sweep_over(struct sweep *sweep) {
    int status = CAUCUS_OK;
    sweep->holders = sweep->wanting_count = 0;
    while (!status && (sweep->wants < sweep->wants_end || sweep->wanting_count > 0)) {
        int64_t change = next_change(sweep);
        status = serve(sweep, change);
        drop_holders(sweep, change);
        while (sweep->has < sweep->has_end && sweep->has->first == change)
            add_holder(sweep);
    }
    return status;
}

static int write_mail(const struct sweep *sweep, struct caucus_index_mail *mail) {
    struct caucus_index_letter *letters = caucus_array(2 * sweep->pairs, sizeof *letters);
    if (!letters)
        return CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < sweep->pairs; i++) {
        const struct pair *pair = &sweep->pair[i];
        letters[2 * i] = (struct caucus_index_letter){
            {pair->first, pair->count, pair->position, pair->target, CAUCUS_INDEX_SEND},
            pair->source};
        letters[2 * i + 1] = (struct caucus_index_letter){
            {pair->first, pair->count, pair->position, pair->source, CAUCUS_INDEX_RECEIVE},
            pair->target};
    }
    int status = caucus_index_mail_sort(mail, letters, 2 * sweep->pairs);
    free(letters);
    return status;
}

/* By direction, of which there are two between groups, and in each of them first what ranks have,
 * then what they want: where these parts begin and end. */
static void sort(struct caucus_index_record *records, int64_t count, int32_t first_group,
                 int64_t begins[5]) {
    for (int64_t i = 0; i < count; i++) {
        bool wants = records[i].role == CAUCUS_INDEX_WANTS;
        bool second = first_group > 0 && wants == (records[i].rank < first_group);
        records[i].role = 2 * second + wants;
    }
    qsort(records, (size_t)count, sizeof *records, by_role_and_index);
    int64_t at = 0;
    for (int role = 0; role < 5; role++) {
        while (at < count && records[at].role < role)
            at++;
        begins[role] = at;
    }
}

int caucus_directory_match(struct caucus_index_record *records, int64_t count, int32_t first_group,
                           struct caucus_index_mail *mail, struct caucus_index_missing *missing) {
    struct sweep sweep = {0};
    int64_t begins[5];
    *mail = (struct caucus_index_mail){0};
    *missing = (struct caucus_index_missing){0};
    if (count == 0)
        return CAUCUS_OK;
    sort(records, count, first_group, begins);
    sweep.holder = caucus_array(count, sizeof *sweep.holder);
    sweep.wanting = caucus_array(count, sizeof *sweep.wanting);
    int status = sweep.holder && sweep.wanting ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int direction = 0; direction < 2 && !status; direction++) {
        const int64_t *begin = &begins[(ptrdiff_t)(2 * direction)];
        sweep.has = records + begin[0];
        sweep.has_end = sweep.wants = records + begin[1];
        sweep.wants_end = records + begin[2];
        status = sweep_over(&sweep);
    }
    *missing = sweep.missing;
    if (!status && !missing->is_missing)
        status = write_mail(&sweep, mail);
    free(sweep.holder);
    free(sweep.wanting);
    free(sweep.pair);
    return status;
}
