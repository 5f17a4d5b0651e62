/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes of a symbolic run. What was not written in this run may be passed on in one way
 * only: as a message of a single byte, whose arrival is all that it says. */
#include "study/verify/state.h"

#include "base/status.h"

#include <stdlib.h>

int caucus_verify_add_piece(struct caucus_pieces *pieces, struct caucus_piece piece) {
    if (pieces->count == pieces->room) {
        int64_t room = pieces->room ? 2 * pieces->room : 64;
        struct caucus_piece *wider = realloc(pieces->piece, (size_t)room * sizeof *wider);
        if (!wider)
            return caucus_fail(CAUCUS_NO_MEMORY, "no memory to verify a schedule");
        pieces->piece = wider;
        pieces->room = room;
    }
    pieces->piece[pieces->count++] = piece;
    return CAUCUS_OK;
}

static int unwritten(const struct caucus_verify *verify, int32_t rank, int64_t i, int buffer,
                     int64_t offset, bool kept) {
    if (kept)
        return caucus_verify_fail(verify, rank, i,
                                  "byte %lld of out is read and has not been written in this run",
                                  (long long)offset);
    return caucus_verify_fail(
        verify, rank, i,
        "byte %lld of %s is read and has not been written in this run: it may hold what an "
        "earlier run has left",
        (long long)offset, caucus_verify_buffer_name(buffer));
}

static int read_map(const struct caucus_verify *verify, int32_t rank, int64_t i, int buffer,
                    const struct caucus_map *map, int64_t begin, int64_t end,
                    struct caucus_pieces *pieces) {
    struct caucus_map_cursor at = caucus_map_find(map, begin);
    for (;;) {
        struct caucus_value value = caucus_map_at(map, at)->value;
        int64_t stop = caucus_map_end(map, at);
        stop = stop < end ? stop : end;
        if (value.symbol < CAUCUS_SYMBOL_INPUT) {
            const struct caucus_operation *operation = &verify->rank[rank].operations[i];
            if (operation->kind != CAUCUS_OPERATION_SEND || operation->length > 1)
                return unwritten(verify, rank, i, buffer, begin,
                                 value.symbol == CAUCUS_SYMBOL_KEPT);
            value = (struct caucus_value){.symbol = CAUCUS_SYMBOL_NOTHING};
        }
        int status = caucus_verify_add_piece(
            pieces, (struct caucus_piece){stop - begin, begin + value.shift, value.symbol});
        if (status || stop == end)
            return status;
        begin = stop;
        at = caucus_map_next(map, at);
    }
}

/* In, of which the part that lies within out may have been overwritten. */
static int read_in(const struct caucus_verify *verify, int32_t r, int64_t i, int64_t begin,
                   int64_t end, struct caucus_pieces *pieces) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    int64_t low = end, high = end; /* the part within out */
    if (rank->buffers.aliased) {
        int64_t first = -rank->buffers.alias, last = first + rank->buffers.out_bytes;
        low = first > begin ? first : begin;
        high = last < end ? last : end;
        if (low >= high)
            low = high = end;
    }
    int status = CAUCUS_OK;
    if (begin < low)
        status = caucus_verify_add_piece(
            pieces,
            (struct caucus_piece){low - begin, rank->in_start + begin, CAUCUS_SYMBOL_INPUT});
    if (!status && low < high)
        status = read_map(verify, r, i, CAUCUS_BUFFER_OUT, &rank->out, low + rank->buffers.alias,
                          high + rank->buffers.alias, pieces);
    if (!status && high < end)
        status = caucus_verify_add_piece(
            pieces, (struct caucus_piece){end - high, rank->in_start + high, CAUCUS_SYMBOL_INPUT});
    return status;
}

static struct caucus_map *map_of(struct caucus_verify *verify, int32_t r, int buffer) {
    struct caucus_verify_rank *rank = &verify->rank[r];
    switch (buffer) {
    case CAUCUS_BUFFER_OUT:
        return &rank->out;
    case CAUCUS_BUFFER_SCRATCH:
        return &rank->scratch;
    case CAUCUS_BUFFER_LINE:
        return &verify->node[rank->node].line_payload;
    default:
        return &verify->node[rank->node].memory;
    }
}

static bool is_shared(int buffer) {
    return buffer == CAUCUS_BUFFER_LINE || buffer == CAUCUS_BUFFER_NODE;
}

int caucus_verify_read(struct caucus_verify *verify, int32_t rank, int64_t i, int buffer,
                       int64_t offset, int64_t length, struct caucus_pieces *pieces) {
    pieces->count = 0;
    if (buffer == CAUCUS_BUFFER_IN)
        return read_in(verify, rank, i, offset, offset + length, pieces);
    struct caucus_map *map = map_of(verify, rank, buffer);
    if (is_shared(buffer)) {
        int status = caucus_verify_note_read(verify, rank, i, map, offset, offset + length);
        if (status)
            return status;
    }
    return read_map(verify, rank, i, buffer, map, offset, offset + length, pieces);
}

int caucus_verify_write(struct caucus_verify *verify, int32_t rank, int64_t i, int buffer,
                        int64_t offset, const struct caucus_pieces *pieces) {
    struct caucus_map *map = map_of(verify, rank, buffer);
    uint32_t access = 0;
    int status = CAUCUS_OK;
    if (is_shared(buffer))
        status =
            caucus_verify_note_write(verify, rank, i, map, offset,
                                     offset + verify->rank[rank].operations[i].length, &access);
    for (int64_t k = 0; k < pieces->count && !status; k++) {
        const struct caucus_piece *piece = &pieces->piece[k];
        bool nothing = piece->symbol == CAUCUS_SYMBOL_NOTHING;
        status = caucus_map_set(
            map, offset, offset + piece->length,
            (struct caucus_value){nothing ? 0 : piece->position - offset, piece->symbol, access});
        offset += piece->length;
    }
    return status;
}
