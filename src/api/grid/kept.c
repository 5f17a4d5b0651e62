/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/kept.h"

#include "base/memory.h"
#include "run/keyval.h"

#include <stdlib.h>

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *copied);
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra);

static struct caucus_keyval key = CAUCUS_KEYVAL(on_copy, on_delete);

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *copied) {
    (void)comm, (void)keyval, (void)extra;
    struct caucus_grid_kept *kept = value;
    kept->holders++;
    *(void **)copy = kept;
    *copied = 1;
    caucus_keyval_copied(&key);
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)extra;
    struct caucus_grid_kept *kept = value;
    if (--kept->holders == 0)
        caucus_grid_kept_free(kept);
    caucus_keyval_deleted(&key);
    return MPI_SUCCESS;
}

struct caucus_grid_kept *caucus_grid_kept_new(const struct caucus_grid_outcome *outcome,
                                              const struct caucus_stencil *stencil) {
    struct caucus_grid_kept *kept = caucus_array(1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->holders = 1;
    kept->outcome = *outcome;
    if (caucus_stencil_init(&kept->stencil, stencil->ndims, stencil->count, stencil->offset,
                            stencil->weight)) {
        free(kept);
        return NULL;
    }
    return kept;
}

void caucus_grid_kept_free(struct caucus_grid_kept *kept) {
    if (kept)
        caucus_stencil_free(&kept->stencil);
    free(kept);
}

int caucus_grid_keep(MPI_Comm comm, struct caucus_grid_kept *kept) {
    return caucus_keyval_set(&key, comm, kept);
}

const struct caucus_grid_kept *caucus_grid_kept_of(MPI_Comm comm) {
    return caucus_keyval_get(&key, comm);
}
