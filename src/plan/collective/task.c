/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/task.h"

#include <stddef.h>
#include <string.h>

static const char *const names[CAUCUS_COLLECTIVES] = {
    [CAUCUS_BARRIER] = "barrier",
    [CAUCUS_BCAST] = "bcast",
    [CAUCUS_REDUCE] = "reduce",
    [CAUCUS_ALLREDUCE] = "allreduce",
    [CAUCUS_GATHER] = "gather",
    [CAUCUS_GATHERV] = "gatherv",
    [CAUCUS_SCATTER] = "scatter",
    [CAUCUS_SCATTERV] = "scatterv",
    [CAUCUS_ALLGATHER] = "allgather",
    [CAUCUS_ALLGATHERV] = "allgatherv",
    [CAUCUS_ALLTOALL] = "alltoall",
    [CAUCUS_ALLTOALLV] = "alltoallv",
    [CAUCUS_ALLTOALLW] = "alltoallw",
    [CAUCUS_REDUCE_SCATTER] = "reduce_scatter",
    [CAUCUS_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
    [CAUCUS_SCAN] = "scan",
    [CAUCUS_EXSCAN] = "exscan",
    [CAUCUS_NEIGHBOR_ALLGATHER] = "neighbor_allgather",
    [CAUCUS_NEIGHBOR_ALLGATHERV] = "neighbor_allgatherv",
    [CAUCUS_NEIGHBOR_ALLTOALL] = "neighbor_alltoall",
    [CAUCUS_NEIGHBOR_ALLTOALLV] = "neighbor_alltoallv",
    [CAUCUS_NEIGHBOR_ALLTOALLW] = "neighbor_alltoallw",
};

const char *caucus_collective_name(int collective) {
    return collective >= 0 && collective < CAUCUS_COLLECTIVES ? names[collective] : NULL;
}

int caucus_collective_find(const char *name) {
    for (int collective = 0; collective < CAUCUS_COLLECTIVES; collective++)
        if (strcmp(names[collective], name) == 0)
            return collective;
    return -1;
}

bool caucus_task_reduces(enum caucus_collective collective) {
    switch (collective) {
    case CAUCUS_REDUCE:
    case CAUCUS_ALLREDUCE:
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
    case CAUCUS_SCAN:
    case CAUCUS_EXSCAN:
        return true;
    default:
        return false;
    }
}

bool caucus_task_irregular(enum caucus_collective collective) {
    switch (collective) {
    case CAUCUS_GATHERV:
    case CAUCUS_SCATTERV:
    case CAUCUS_ALLGATHERV:
    case CAUCUS_ALLTOALLV:
    case CAUCUS_ALLTOALLW:
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_NEIGHBOR_ALLGATHERV:
    case CAUCUS_NEIGHBOR_ALLTOALLV:
    case CAUCUS_NEIGHBOR_ALLTOALLW:
        return true;
    default:
        return false;
    }
}
