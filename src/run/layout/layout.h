/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the packed bytes of a user's buffer are in memory: the only place that knows derived
 * datatypes. Made once for a buffer description; the datatypes may be freed afterwards. */
#ifndef CAUCUS_RUN_LAYOUT_LAYOUT_H
#define CAUCUS_RUN_LAYOUT_LAYOUT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct caucus_layout_pieces;
struct caucus_pattern;

/* A datatype taken apart, kept by reference count: all blocks of a type share one. */
struct caucus_type_map {
    int64_t size, extent; /* of an element */
    int64_t true_lower, true_extent;
    struct caucus_pattern *pattern; /* where an element's bytes are, in the order of packing */
    bool is_run;                    /* an element has no gaps; it begins at run_at */
    int64_t run_at;
    bool dense; /* elements one after the other have no gaps either */
    int references;
};

/* Equal elements in a row. */
struct caucus_layout_block {
    int64_t packed_at;    /* in the whole buffer */
    int64_t displacement; /* bytes from base */
    int64_t count;
    struct caucus_type_map *map;
};

struct caucus_layout {
    char *base; /* what the user gave: MPI_BOTTOM is NULL, and displacements are addresses then */
    int64_t bytes; /* packed */
    bool flat;     /* packed byte i is at base + flat_at + i */
    int64_t flat_at;
    bool on_device; /* or perhaps in part: only the functions below touch it */
    bool suits_mpi; /* it is on a device whose addresses MPI takes, and long */
    int32_t blocks;
    struct caucus_layout_block *block;
    struct caucus_layout_pieces *pieces; /* instead of blocks; else NULL */
};

int caucus_type_map_create(MPI_Datatype type, struct caucus_type_map **map);
void caucus_type_map_release(struct caucus_type_map *map);

/* count elements at base. */
int caucus_layout_elements(struct caucus_layout *layout, void *base, int64_t count,
                           MPI_Datatype type);

/* Blocks in their packed order: counts[i] elements at displacements[i] bytes from base, of
 * types[i], or all of types[0] where same_type. Blocks may lie anywhere. */
int caucus_layout_blocks(struct caucus_layout *layout, void *base, int32_t blocks,
                         const int64_t *counts, const int64_t *displacements,
                         const MPI_Datatype *types, bool same_type);

/* The same for one type and many blocks, none of them empty: where its elements have no gaps, in a
 * short form that moves many small blocks quickly. */
int caucus_layout_many(struct caucus_layout *layout, void *base, int64_t blocks,
                       const int64_t *counts, const int64_t *displacements, MPI_Datatype type);

void caucus_layout_free(struct caucus_layout *layout);

/* Whether it is one piece of memory that processors may touch. */
static inline bool caucus_layout_is_plain(const struct caucus_layout *layout) {
    return layout->flat && !layout->on_device;
}

/* The address of packed bytes that lie in one such piece; NULL where they don't. */
char *caucus_layout_address(const struct caucus_layout *layout, int64_t offset, int64_t length);

/* Messages of this length go straight from and to the memory of a device where MPI takes its
 * addresses. Below, a copy of the runtime's costs less than 10 us, no more than what an MPI does
 * for such a message by itself. */
enum { CAUCUS_LAYOUT_STRAIGHT = 1 << 16 };

/* The address of so many packed bytes that MPI takes; NULL where these must be staged. */
static inline char *caucus_layout_straight(const struct caucus_layout *layout, int64_t offset,
                                           int64_t length) {
    return layout->suits_mpi && layout->flat && length >= CAUCUS_LAYOUT_STRAIGHT
               ? layout->base + layout->flat_at + offset
               : NULL;
}

/* Between the user's buffer and length packed bytes of the host's. They fail where the runtime of
 * a device does. */
int caucus_layout_pack(const struct caucus_layout *layout, int64_t offset, int64_t length,
                       void *packed);
int caucus_layout_unpack(const struct caucus_layout *layout, int64_t offset, int64_t length,
                         const void *packed);

/* By number: MPI_BOTTOM is no object within which a pointer may move. */
static inline char *caucus_layout_shifted(char *base, int64_t bytes) {
    return (char *)((uintptr_t)base + (uintptr_t)bytes);
}

#endif
