/* SPDX-License-Identifier: BSD-3-Clause */
/* What a caller wants of a grid, checked and agreed on. */
#ifndef CAUCUS_API_GRID_REQUEST_H
#define CAUCUS_API_GRID_REQUEST_H

#include "plan/grid/grid.h"
#include "plan/grid/stencil.h"
#include "run/attachment/attach.h"

#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_MAPPER_NAME = 32 };

/* Plain bytes: rank 0's hold for all. */
struct caucus_grid_settings {
    char mapper[CAUCUS_MAPPER_NAME];
    double threshold;
    double rank0; /* by how much keeping rank 0 may raise the traffic, negative: don't look */
    int64_t central;
    int64_t seed;
    bool chaos, verbose;
};

struct caucus_grid_request {
    /* As given by the caller. */
    const char *function;
    int ndims;
    const int *dims, *periods;
    bool is_star; /* a weight per axis; otherwise noffsets offsets with a weight each */
    int noffsets;
    const int *offsets;
    const double *weights; /* may be NULL */
    MPI_Info info;
    bool reorder;
    const void *result; /* where the caller wants it */
    /* Filled by caucus_grid_request_agree; to be freed. */
    struct caucus_grid grid;
    struct caucus_stencil stencil;
    struct caucus_grid_settings settings; /* rank 0's */
};

/* Whether MPI alone can serve it: more dimensions than Caucus counts, and no reordering. Then only
 * ndims and reorder are checked. */
bool caucus_grid_request_is_native(const struct caucus_grid_request *request);

/* Whether the settings that are read for grids have values that they may have. Local. */
int caucus_grid_check_settings(void);

/* All ranks check their arguments and settings, and that all have the same. status: of what the
 * caller did on this rank before. */
int caucus_grid_request_agree(struct caucus_grid_request *request,
                              const struct caucus_attachment *attachment, int status);
void caucus_grid_request_free(struct caucus_grid_request *request);

#endif
