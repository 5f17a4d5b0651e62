/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of a symbolic run. A combination is known by its tree: the same two operands always
 * give the same number, so equal numbers mean results that are equal bit by bit. Where order
 * counts, operands must be neighbouring intervals of ranks; else sums of random keys tell whether
 * every operand is there once. */
#include "study/verify/state.h"

#include "base/permute.h"
#include "base/status.h"

#include <stdlib.h>

/* Operands of equal tree have equal numbers: ranks first, then combinations. */
struct operand {
    uint32_t number;
    int64_t in_offset, length;
};

int32_t caucus_verify_rank_of(const struct caucus_verify *verify, int64_t position) {
    if (verify
            ->uniform) { /* beyond all inputs, where a wrong specification asks for it: the last */
        int64_t rank = position / verify->uniform;
        return (int32_t)(rank < verify->ranks ? rank : verify->ranks - 1);
    }
    int32_t low = 0, high = verify->ranks;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (verify->rank[middle].in_start <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct operand operand_of(const struct caucus_verify *verify,
                                 const struct caucus_piece *piece, int64_t done) {
    int64_t position = piece->position + done, length = piece->length - done;
    if (piece->symbol >= CAUCUS_SYMBOL_COMBINATION)
        return (struct operand){(uint32_t)verify->ranks + piece->symbol - CAUCUS_SYMBOL_COMBINATION,
                                position, length};
    int32_t rank = caucus_verify_rank_of(verify, position);
    int64_t in_offset = position - verify->rank[rank].in_start;
    int64_t left = verify->rank[rank].buffers.in_bytes - in_offset;
    return (struct operand){(uint32_t)rank, in_offset, length < left ? length : left};
}

static struct caucus_combination content(const struct caucus_verify *verify, uint32_t number) {
    if (number >= (uint32_t)verify->ranks)
        return verify->combinations.combination[number - (uint32_t)verify->ranks];
    struct caucus_combination single = {.count = 1};
    if (verify->specification->ordered) {
        single.range.low = number;
        single.range.high = number;
    } else {
        single.sum = verify->key_sum[number + 1] - verify->key_sum[number];
    }
    return single;
}

static int widen_table(struct caucus_combinations *combinations) {
    int bits = combinations->bits ? combinations->bits + 1 : 10;
    uint32_t *table = calloc((size_t)1 << bits, sizeof *table);
    struct caucus_combination *wider =
        realloc(combinations->combination, ((size_t)1 << bits) * sizeof *wider);
    if (wider)
        combinations->combination = wider;
    if (!wider || !table) {
        free(table);
        return caucus_fail(CAUCUS_NO_MEMORY, "no memory to verify a schedule");
    }
    for (int64_t i = 0; i < combinations->count; i++) {
        uint64_t key = (uint64_t)wider[i].left << 32 | wider[i].right;
        uint32_t *place = &table[caucus_mix(key) >> (64 - bits)];
        wider[i].next = *place;
        *place = (uint32_t)i + 1;
    }
    free(combinations->table);
    combinations->table = table;
    combinations->room = (int64_t)1 << bits;
    combinations->bits = bits;
    return CAUCUS_OK;
}

/* The combination of two operands, found or made. */
static int find(struct caucus_verify *verify, uint32_t left, uint32_t right,
                struct caucus_combination made, uint32_t *symbol) {
    struct caucus_combinations *all = &verify->combinations;
    if (all->count == all->room) {
        int status = widen_table(all);
        if (status)
            return status;
    }
    uint64_t key = (uint64_t)left << 32 | right;
    uint32_t *place = &all->table[caucus_mix(key) >> (64 - all->bits)];
    for (uint32_t i = *place; i; i = all->combination[i - 1].next)
        if (all->combination[i - 1].left == left && all->combination[i - 1].right == right) {
            *symbol = CAUCUS_SYMBOL_COMBINATION + i - 1;
            return CAUCUS_OK;
        }
    made.left = left;
    made.right = right;
    made.next = *place;
    *symbol = CAUCUS_SYMBOL_COMBINATION + (uint32_t)all->count;
    all->combination[all->count++] = made;
    *place = (uint32_t)all->count;
    return CAUCUS_OK;
}

static int combine(struct caucus_verify *verify, int32_t rank, int64_t i, struct operand lower,
                   struct operand upper, uint32_t *symbol) {
    struct caucus_combination left = content(verify, lower.number);
    struct caucus_combination right = content(verify, upper.number);
    struct caucus_combination made = {.count = left.count + right.count};
    if (verify->specification->ordered) {
        if ((int64_t)left.range.high + 1 != right.range.low)
            return caucus_verify_fail(
                verify, rank, i,
                "operands of ranks %u to %u are combined with those of %u to %u, out of order",
                left.range.low, left.range.high, right.range.low, right.range.high);
        made.range.low = left.range.low;
        made.range.high = right.range.high;
        return find(verify, lower.number, upper.number, made, symbol);
    }
    if (made.count > (uint32_t)verify->ranks)
        return caucus_verify_fail(verify, rank, i, "some operand is combined twice");
    made.sum = left.sum + right.sum;
    bool turned = lower.number > upper.number; /* a op b is b op a, bit by bit */
    return find(verify, turned ? upper.number : lower.number, turned ? lower.number : upper.number,
                made, symbol);
}

static int add_result(struct caucus_pieces *results, struct caucus_piece piece) {
    struct caucus_piece *last = results->count ? &results->piece[results->count - 1] : NULL;
    if (last && last->symbol == piece.symbol && last->position + last->length == piece.position) {
        last->length += piece.length;
        return CAUCUS_OK;
    }
    return caucus_verify_add_piece(results, piece);
}

static int combine_pieces(struct caucus_verify *verify, int32_t rank, int64_t i) {
    struct caucus_pieces *lower = &verify->operands, *upper = &verify->pieces;
    int64_t element = verify->specification->element;
    int64_t a = 0, b = 0, done_a = 0, done_b = 0;
    verify->results.count = 0;
    while (a < lower->count) {
        struct operand left = operand_of(verify, &lower->piece[a], done_a);
        struct operand right = operand_of(verify, &upper->piece[b], done_b);
        int64_t length = left.length < right.length ? left.length : right.length;
        uint32_t symbol;
        if (left.in_offset != right.in_offset)
            return caucus_verify_fail(verify, rank, i, "byte %lld of an operand meets byte %lld",
                                      (long long)left.in_offset, (long long)right.in_offset);
        if (left.in_offset % element || length % element)
            return caucus_verify_fail(
                verify, rank, i, "an element of %lld bytes is cut: %lld bytes from %lld on",
                (long long)element, (long long)length, (long long)left.in_offset);
        int status = combine(verify, rank, i, left, right, &symbol);
        if (!status)
            status =
                add_result(&verify->results, (struct caucus_piece){length, left.in_offset, symbol});
        if (status)
            return status;
        done_a += length;
        done_b += length;
        if (done_a == lower->piece[a].length) {
            a++;
            done_a = 0;
        }
        if (done_b == upper->piece[b].length) {
            b++;
            done_b = 0;
        }
    }
    return CAUCUS_OK;
}

int caucus_verify_combine(struct caucus_verify *verify, int32_t rank, int64_t i) {
    const struct caucus_operation *operation = &verify->rank[rank].operations[i];
    int status = caucus_verify_read(verify, rank, i, operation->source, operation->source_offset,
                                    operation->length, &verify->operands);
    if (!status)
        status = caucus_verify_read(verify, rank, i, operation->target, operation->target_offset,
                                    operation->length, &verify->pieces);
    if (!status)
        status = combine_pieces(verify, rank, i);
    if (!status)
        status = caucus_verify_write(verify, rank, i, operation->target, operation->target_offset,
                                     &verify->results);
    return status;
}

bool caucus_verify_is_combination(const struct caucus_verify *verify, uint32_t symbol,
                                  int32_t first, int32_t last) {
    if (symbol < CAUCUS_SYMBOL_COMBINATION)
        return false;
    const struct caucus_combination *combination =
        &verify->combinations.combination[symbol - CAUCUS_SYMBOL_COMBINATION];
    if (verify->specification->ordered)
        return combination->range.low == (uint32_t)first &&
               combination->range.high == (uint32_t)last;
    return combination->count == (uint32_t)(last - first + 1) &&
           combination->sum == verify->key_sum[last + 1] - verify->key_sum[first];
}
