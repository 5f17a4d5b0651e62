/* SPDX-License-Identifier: BSD-3-Clause */
/* Two random decompositions of one field of doubles, which all ranks draw alike, and what a rank
 * moves between them by hand: derived datatypes for each peer. */
#ifndef CAUCUS_BENCH_DECOMPOSITION_H
#define CAUCUS_BENCH_DECOMPOSITION_H

#include <caucus/redistribute.h>

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void *decomposition_room(int64_t count, size_t size) {
    void *room = calloc(count > 0 ? (size_t)count : 1, size);
    if (!room)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return room;
}

static inline int64_t decomposition_draw(uint64_t *state, int64_t low, int64_t high) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return low + (int64_t)((*state >> 11) % (uint64_t)(high - low + 1));
}

/* Who has each index, where in his buffer, and this rank's own ranges. */
struct decomposition {
    int32_t *owner;
    int64_t *position;
    caucus_index_range *range;
    int64_t ranges, elements; /* of this rank */
};

/* Cuts `indices` into ranges of 1 to 2 * length - 1 and deals them to ranks first to first + ranks
 * - 1, in an order drawn at random; whole: a range for each rank, one after the other. */
static inline struct decomposition decomposition_make(uint64_t *state, int64_t indices,
                                                      int64_t length, int first, int ranks,
                                                      int rank) {
    struct decomposition made = {decomposition_room(indices, sizeof *made.owner),
                                 decomposition_room(indices, sizeof *made.position),
                                 decomposition_room(indices, sizeof *made.range), 0, 0};
    caucus_index_range *cut = decomposition_room(indices, sizeof *cut);
    int64_t *elements = decomposition_room(ranks, sizeof *elements), cuts = 0;
    for (int64_t at = 0; at < indices; at += cut[cuts++].count) {
        int64_t count = length > 0 ? decomposition_draw(state, 1, 2 * length - 1)
                                   : (indices + ranks - 1) / ranks;
        cut[cuts] = (caucus_index_range){at, count < indices - at ? count : indices - at};
    }
    for (int64_t i = cuts - 1; i > 0 && length > 0; i--) {
        int64_t other = decomposition_draw(state, 0, i);
        caucus_index_range range = cut[i];
        cut[i] = cut[other];
        cut[other] = range;
    }
    for (int64_t i = 0; i < cuts; i++) {
        int64_t to = length > 0 ? decomposition_draw(state, 0, ranks - 1) : i % ranks;
        if (first + to == rank)
            made.range[made.ranges++] = cut[i];
        for (int64_t k = cut[i].first; k < cut[i].first + cut[i].count; k++) {
            made.owner[k] = (int32_t)(first + to);
            made.position[k] = elements[to]++;
        }
    }
    if (rank >= first && rank < first + ranks)
        made.elements = elements[rank - first];
    free(cut);
    free(elements);
    return made;
}

static inline void decomposition_free(struct decomposition *decomposition) {
    free(decomposition->owner);
    free(decomposition->position);
    free(decomposition->range);
}

/* The elements that this rank has in one decomposition and peer in the other, in the order of
 * indices: a datatype of ranges that are as long as can be. MPI_DATATYPE_NULL where there are none.
 */
static inline MPI_Datatype decomposition_type(const struct decomposition *own, int rank,
                                              const struct decomposition *other, int peer,
                                              int64_t indices, int64_t *elements) {
    int *lengths = decomposition_room(indices, sizeof *lengths);
    MPI_Aint *places = decomposition_room(indices, sizeof *places);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int blocks = 0;
    *elements = 0;
    for (int64_t i = 0; i < indices; i++) {
        if (own->owner[i] != rank || other->owner[i] != peer)
            continue;
        MPI_Aint place = (MPI_Aint)(own->position[i] * (int64_t)sizeof(double));
        ++*elements;
        if (blocks > 0 &&
            places[blocks - 1] + lengths[blocks - 1] * (MPI_Aint)sizeof(double) == place) {
            lengths[blocks - 1]++;
        } else {
            places[blocks] = place;
            lengths[blocks++] = 1;
        }
    }
    if (blocks > 0) {
        MPI_Type_create_hindexed(blocks, lengths, places, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
    }
    free(lengths);
    free(places);
    return type;
}

#endif
