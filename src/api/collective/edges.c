/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/work.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/peers/agree.h"

#include <stdlib.h>

/* How many edges all ranks have together. status: how making room has gone on this rank; all get
 * the same. */
static int sum_edges(const struct caucus_peers *peers, int status, int32_t count, int64_t *all) {
    const int64_t own[2] = {status != CAUCUS_OK, count};
    int64_t sums[2];
    int failed = caucus_peers_allreduce(peers, own, sums, 2, MPI_INT64_T, MPI_SUM);
    if (!failed && sums[0] > 0)
        failed = caucus_agree(peers, status, 0, NULL);
    *all = sums[1];
    return failed;
}

/* How many edges each rank has, and where they begin. */
static int count_edges(const struct caucus_peers *peers, int32_t count, int *counts, int *places,
                       int64_t *first) {
    int status = caucus_peers_allgather(peers, &count, 1, MPI_INT32_T, counts);
    for (int rank = 0; rank < peers->size && !status; rank++) {
        places[rank] = (int)first[rank];
        first[rank + 1] = first[rank] + counts[rank];
    }
    return status;
}

static int collect(const struct caucus_peers *peers, const int32_t *to, const int64_t *bytes,
                   const int *counts, const int *places, struct caucus_edges *edges) {
    int status = caucus_peers_spread_lists(peers, to, counts, places, MPI_INT32_T, edges->to);
    if (!status)
        status = caucus_peers_spread_lists(peers, bytes, counts, places, MPI_INT64_T, edges->bytes);
    return status;
}

/* Room for all ranks is asked for, but not used, where there are too many edges. */
int caucus_collect_edges(const struct caucus_attachment *attachment, int32_t count,
                         const int32_t *to, const int64_t *bytes, int64_t limit,
                         struct caucus_edges *edges) {
    const struct caucus_peers *peers = &attachment->peers;
    *edges = (struct caucus_edges){0};
    int *counts = caucus_array(2 * (int64_t)attachment->size, sizeof *counts);
    int64_t *first = caucus_array((int64_t)attachment->size + 1, sizeof *first), all;
    int status = sum_edges(peers, counts && first ? CAUCUS_OK : CAUCUS_NO_MEMORY, count, &all);
    if (!status && all <= limit)
        status = count_edges(peers, count, counts, counts + attachment->size, first);
    if (!status && all <= limit) {
        edges->first = first;
        edges->to = caucus_array(all, sizeof *edges->to);
        edges->bytes = caucus_array(all, sizeof *edges->bytes);
        status = edges->to && edges->bytes ? CAUCUS_OK : CAUCUS_NO_MEMORY;
        status = caucus_agree(peers, status, 0, NULL);
        if (!status)
            status = collect(peers, to, bytes, counts, counts + attachment->size, edges);
        first = NULL;
    }
    free(first);
    free(counts);
    if (status)
        caucus_edges_free(edges);
    return status;
}

void caucus_edges_free(struct caucus_edges *edges) {
    free(edges->first);
    free(edges->to);
    free(edges->bytes);
    *edges = (struct caucus_edges){0};
}
