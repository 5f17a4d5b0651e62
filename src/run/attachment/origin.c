/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/origin.h"

#include "base/memory.h"
#include "run/support/keyval.h"

#include <stdlib.h>

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *copied);
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra);

static struct caucus_keyval kept = CAUCUS_KEYVAL(on_copy, on_delete);

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *copied) {
    (void)comm, (void)keyval, (void)extra;
    void *twin = caucus_array_copy(value, 1, sizeof(struct caucus_origin));
    *copied = twin != NULL;
    if (!twin)
        return MPI_ERR_NO_MEM;
    *(void **)copy = twin;
    caucus_keyval_copied(&kept);
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)extra;
    free(value);
    caucus_keyval_deleted(&kept);
    return MPI_SUCCESS;
}

int caucus_origin_keep(MPI_Comm comm, struct caucus_origin *origin) {
    int status = caucus_keyval_set(&kept, comm, origin);
    if (status)
        free(origin);
    return status;
}

const struct caucus_origin *caucus_origin_of(MPI_Comm comm) {
    return caucus_keyval_get(&kept, comm);
}
