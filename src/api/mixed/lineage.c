/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/mixed/lineage.h"

#include "base/memory.h"
#include "run/agree.h"
#include "run/keyval.h"

#include <stdbool.h>
#include <stdlib.h>

struct lineage {
    int64_t number, derived; /* derived: calls so far, one at a time as MPI has it */
};

static int drop(MPI_Comm comm, int keyval, void *value, void *extra);
static struct caucus_keyval kept = CAUCUS_KEYVAL(MPI_COMM_NULL_COPY_FN, drop);

static int drop(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)extra;
    free(value);
    caucus_keyval_deleted(&kept);
    return MPI_SUCCESS;
}

static void keep(MPI_Comm comm, int64_t number) {
    struct lineage *lineage = caucus_array(1, sizeof *lineage);
    if (!lineage)
        return;
    lineage->number = number;
    if (caucus_keyval_set(&kept, comm, lineage))
        free(lineage);
}

void caucus_lineage_begin(void) {
    keep(MPI_COMM_WORLD, 1);
}

static bool has_two_groups(MPI_Comm comm) {
    int inter;
    return PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter;
}

void caucus_lineage_derive(MPI_Comm parent, MPI_Comm made) {
    struct lineage *lineage = caucus_keyval_get(&kept, parent);
    if (!lineage || (made != MPI_COMM_NULL && has_two_groups(made)))
        return;
    const int64_t path[] = {lineage->number, lineage->derived++};
    const struct caucus_item item = {"lineage", CAUCUS_ITEM_LONGS, path, 2};
    int64_t number = (int64_t)caucus_agree_digest(1, &item);
    if (made != MPI_COMM_NULL)
        keep(made, number ? number : 1);
}

uint64_t caucus_lineage_of(MPI_Comm comm) {
    const struct lineage *lineage = caucus_keyval_get(&kept, comm);
    return lineage ? (uint64_t)lineage->number : 0;
}
