/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of bytes without gaps, as many as there are, in the order of packing: with 8 or 16 bytes
 * for each, so that finding the piece costs no more than moving it. */
#ifndef CAUCUS_RUN_LAYOUT_PIECES_H
#define CAUCUS_RUN_LAYOUT_PIECES_H

#include "run/layout/layout.h"

/* Where each piece is, in bytes from base, and which packed bytes lie before it, with a last entry
 * for all; that is NULL where all have the same size. */
struct caucus_layout_pieces {
    int64_t count, size;
    int64_t *at, *packed;
};

/* counts[i] elements at displacements[i], none empty, of a type whose elements have no gaps. */
int caucus_layout_pieces_create(struct caucus_layout_pieces **pieces, int64_t count,
                                const int64_t *counts, const int64_t *displacements,
                                const struct caucus_type_map *map);
void caucus_layout_pieces_free(struct caucus_layout_pieces *pieces);

/* As the functions of layout.h, which hand on to these. */
char *caucus_layout_pieces_address(const struct caucus_layout_pieces *pieces, char *base,
                                   int64_t offset, int64_t length);
int caucus_layout_pieces_move(const struct caucus_layout *layout, int64_t offset, int64_t length,
                              char *packed, bool packs);

#endif
