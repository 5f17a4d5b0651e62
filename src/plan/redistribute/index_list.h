/* SPDX-License-Identifier: BSD-3-Clause */
/* The global indices of one rank's buffer, in the order of indices. */
#ifndef CAUCUS_PLAN_REDISTRIBUTE_INDEX_LIST_H
#define CAUCUS_PLAN_REDISTRIBUTE_INDEX_LIST_H

#include <caucus/index_range.h>

/* Indices first to first + count - 1, whose elements are at position and the places that follow. */
struct caucus_index_piece {
    int64_t first, count, position;
};

struct caucus_index_list {
    int64_t pieces;
    struct caucus_index_piece *piece; /* none is empty, and no two have an index in common */
    int64_t elements;                 /* of the buffer, repeated indices included */
};

/* Elements that are there a second time: the indices of `again` at its places are those that the
 * list has at `once`. */
struct caucus_index_repeat {
    int64_t once, again, count;
};

struct caucus_index_repeats {
    int64_t count;
    struct caucus_index_repeat *repeat;
};

/* Takes in what a user says; name is his argument's, for the text of a failure: a negative count,
 * an index beyond 2^63 - 2, or, unless repeats is given, an index twice. Both are to be freed; on
 * failure there is nothing to free. */
int caucus_index_list_create(struct caucus_index_list *list, const char *name, int64_t count,
                             const caucus_index_range *ranges,
                             struct caucus_index_repeats *repeats);
void caucus_index_list_free(struct caucus_index_list *list);

/* The piece that has an index, or the first behind it; list->pieces where there is none. */
int64_t caucus_index_list_find(const struct caucus_index_list *list, int64_t index);

/* The places of some indices from the done-th on, which the list has, first of them in its piece
 * at. */
static inline struct caucus_index_piece
caucus_index_list_part(const struct caucus_index_list *list, int64_t at,
                       const struct caucus_index_piece *indices, int64_t done) {
    const struct caucus_index_piece *piece = &list->piece[at];
    int64_t first = indices->first + done, skip = first - piece->first;
    int64_t rest = indices->count - done, left = piece->count - skip;
    return (struct caucus_index_piece){first, left < rest ? left : rest, piece->position + skip};
}

#endif
