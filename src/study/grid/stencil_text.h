/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils as users write them. */
#ifndef CAUCUS_STUDY_GRID_STENCIL_TEXT_H
#define CAUCUS_STUDY_GRID_STENCIL_TEXT_H

#include "plan/grid/stencil.h"

/* 3^ndims - 1 offsets (9-point, 27-point), all of weight 1. */
int caucus_stencil_init_box(struct caucus_stencil *stencil, int ndims);

/* "star", "box", or a file: one offset per line, ndims numbers, then an optional weight. */
int caucus_stencil_parse(struct caucus_stencil *stencil, int ndims, const char *text);

#endif
