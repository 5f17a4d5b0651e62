/* SPDX-License-Identifier: BSD-3-Clause */
/* The outcome of a symbolic run, compared with what was asked for. */
#include "study/verify/state.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

/* The trees seen where ranks first to last are combined: a place for each byte of the operand. */
struct trees {
    int32_t first, last;
    struct caucus_map map;
    struct trees *next;
};

struct result {
    struct caucus_verify *verify;
    struct trees **trees; /* by last rank */
    int32_t rank;
    struct caucus_map_cursor at; /* in the rank's out */
};

static void describe(const struct caucus_verify *verify, struct caucus_value value, int64_t offset,
                     char *text, size_t room) {
    int64_t position = offset + value.shift;
    if (value.symbol == CAUCUS_SYMBOL_NOTHING) {
        snprintf(text, room, "what was left by an earlier run");
    } else if (value.symbol == CAUCUS_SYMBOL_KEPT) {
        snprintf(text, room, "what the user had there");
    } else if (value.symbol == CAUCUS_SYMBOL_INPUT) {
        int32_t from = caucus_verify_rank_of(verify, position);
        snprintf(text, room, "byte %lld of rank %d",
                 (long long)(position - verify->rank[from].in_start), from);
    } else {
        const struct caucus_combination *combination =
            &verify->combinations.combination[value.symbol - CAUCUS_SYMBOL_COMBINATION];
        if (verify->specification->ordered)
            snprintf(text, room, "byte %lld, combined over ranks %u to %u", (long long)position,
                     combination->range.low, combination->range.high);
        else
            snprintf(text, room, "byte %lld, combined of %u operands", (long long)position,
                     combination->count);
    }
}

static int wrong(const struct result *result, struct caucus_value value, int64_t offset,
                 const char *wanted) {
    char text[120];
    describe(result->verify, value, offset, text, sizeof text);
    return caucus_fail(CAUCUS_INTERNAL, "rank %d: byte %lld of out must hold %s, and holds %s",
                       result->rank, (long long)offset, wanted, text);
}

static int find_trees(struct result *result, const struct caucus_expected *expected,
                      struct trees **found) {
    struct caucus_verify *verify = result->verify;
    struct trees *trees = result->trees[expected->last_rank];
    while (trees && trees->first != expected->first_rank)
        trees = trees->next;
    if (!trees) {
        trees = caucus_array(1, sizeof *trees);
        if (!trees)
            return CAUCUS_NO_MEMORY;
        trees->first = expected->first_rank;
        trees->next = result->trees[expected->last_rank];
        result->trees[expected->last_rank] = trees;
        int status = caucus_map_init(&trees->map, &verify->pool,
                                     verify->rank[expected->first_rank].buffers.in_bytes,
                                     (struct caucus_value){0});
        if (status)
            return status;
    }
    *found = trees;
    return CAUCUS_OK;
}

/* Whoever gets these bytes must get them from the same tree. */
static int same_tree(struct result *result, struct caucus_map *map, int64_t begin, int64_t end,
                     struct caucus_value value, int64_t offset) {
    value.shift = 0;
    value.access = 0;
    struct caucus_map_cursor at = caucus_map_find(map, begin);
    bool unseen = false;
    for (int64_t stop = begin; stop < end; at = caucus_map_next(map, at)) {
        uint32_t seen = caucus_map_at(map, at)->value.symbol;
        stop = caucus_map_end(map, at);
        unseen = unseen || seen == CAUCUS_SYMBOL_NOTHING;
        if (seen != CAUCUS_SYMBOL_NOTHING && seen != value.symbol)
            return caucus_fail(CAUCUS_INTERNAL,
                               "rank %d: byte %lld of out combines the right operands in another "
                               "tree than on a rank before it: results may differ in a bit",
                               result->rank, (long long)offset);
    }
    return unseen ? caucus_map_set(map, begin, end, value) : CAUCUS_OK;
}

static int check_combination(struct result *result, const struct caucus_expected *expected) {
    const struct caucus_map *map = &result->verify->rank[result->rank].out;
    int64_t offset = expected->out_offset, end = offset + expected->length;
    struct trees *trees;
    char text[120];
    int status = find_trees(result, expected, &trees);
    while (!status && offset < end) {
        struct caucus_value value = caucus_map_at(map, result->at)->value;
        int64_t stop = caucus_map_end(map, result->at);
        int64_t in_offset = expected->in_offset + offset - expected->out_offset;
        if (!caucus_verify_is_combination(result->verify, value.symbol, expected->first_rank,
                                          expected->last_rank) ||
            offset + value.shift != in_offset) {
            snprintf(text, sizeof text, "byte %lld, combined over ranks %d to %d",
                     (long long)in_offset, expected->first_rank, expected->last_rank);
            return wrong(result, value, offset, text);
        }
        int64_t until = stop < end ? stop : end;
        status =
            same_tree(result, &trees->map, in_offset, in_offset + until - offset, value, offset);
        offset = until;
        if (offset == stop)
            result->at = caucus_map_next(map, result->at);
    }
    return status;
}

/* The bytes from offset up to end must hold a symbol, with this shift. */
static int check_plain(struct result *result, int64_t offset, int64_t end, uint32_t symbol,
                       int64_t shift) {
    const struct caucus_map *map = &result->verify->rank[result->rank].out;
    char text[120];
    while (offset < end) {
        struct caucus_value value = caucus_map_at(map, result->at)->value;
        int64_t stop = caucus_map_end(map, result->at);
        if (value.symbol != symbol || value.shift != shift) {
            describe(result->verify, (struct caucus_value){shift, symbol, 0}, offset, text,
                     sizeof text);
            return wrong(result, value, offset, text);
        }
        offset = stop < end ? stop : end;
        if (offset == stop)
            result->at = caucus_map_next(map, result->at);
    }
    return CAUCUS_OK;
}

/* What was there before, some of it perhaps the rank's in. */
static int check_kept(struct result *result, int64_t begin, int64_t end) {
    const struct caucus_verify_rank *rank = &result->verify->rank[result->rank];
    int64_t low = end, high = end;
    if (rank->buffers.aliased) {
        int64_t first = rank->buffers.alias, last = first + rank->buffers.in_bytes;
        low = first < begin ? begin : first < end ? first : end;
        high = last < low ? low : last < end ? last : end;
    }
    int status = check_plain(result, begin, low, CAUCUS_SYMBOL_KEPT, 0);
    if (!status)
        status = check_plain(result, low, high, CAUCUS_SYMBOL_INPUT,
                             rank->in_start - rank->buffers.alias);
    return status ? status : check_plain(result, high, end, CAUCUS_SYMBOL_KEPT, 0);
}

static int check_rank(struct result *result) {
    const struct caucus_specification *specification = result->verify->specification;
    const struct caucus_verify_rank *rank = &result->verify->rank[result->rank];
    const struct caucus_expected *expected = NULL;
    int64_t count = 0, done = 0;
    int status = specification->expected(specification->context, result->rank, &expected, &count);
    result->at = (struct caucus_map_cursor){0};
    for (int64_t i = 0; i < count && !status; i++) {
        const struct caucus_expected *one = &expected[i];
        if (one->length <= 0)
            continue;
        if (one->out_offset < done || one->out_offset + one->length > rank->buffers.out_bytes)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d: what is expected at byte %lld of out is not ascending or "
                               "not within its %lld bytes",
                               result->rank, (long long)one->out_offset,
                               (long long)rank->buffers.out_bytes);
        status = check_kept(result, done, one->out_offset);
        done = one->out_offset + one->length;
        if (!status && one->first_rank == one->last_rank)
            status = check_plain(result, one->out_offset, done, CAUCUS_SYMBOL_INPUT,
                                 result->verify->rank[one->first_rank].in_start + one->in_offset -
                                     one->out_offset);
        else if (!status)
            status = check_combination(result, one);
    }
    return status ? status : check_kept(result, done, rank->buffers.out_bytes);
}

int caucus_verify_result(struct caucus_verify *verify) {
    struct result result = {.verify = verify};
    result.trees = caucus_array(verify->ranks, sizeof(struct trees *));
    int status = result.trees ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (result.rank = 0; result.rank < verify->ranks && !status; result.rank++)
        status = check_rank(&result);
    for (int32_t r = 0; result.trees && r < verify->ranks; r++)
        while (result.trees[r]) {
            struct trees *next = result.trees[r]->next;
            free(result.trees[r]);
            result.trees[r] = next;
        }
    free(result.trees);
    return status;
}
