/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/grid/candidate.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int number_nodes(struct caucus_grid_candidate *candidate, int32_t nodes, int32_t *sizes) {
    int32_t count = 0;
    for (int32_t node = 0; node < nodes; node++) {
        candidate->number[node] = candidate->taken[node] ? count : -1;
        if (candidate->taken[node])
            sizes[count++] = candidate->taken[node];
    }
    return caucus_nodes_init(&candidate->problem.nodes, count, sizes);
}

int caucus_grid_candidate_init(struct caucus_grid_candidate *candidate,
                               const struct caucus_grid_request *request, int32_t nodes,
                               const int32_t *taken) {
    memset(candidate, 0, sizeof *candidate);
    candidate->problem.grid = request->grid;
    candidate->problem.stencil = request->stencil;
    candidate->taken = caucus_array_copy(taken, nodes, sizeof *taken);
    candidate->number = caucus_array(nodes, sizeof *candidate->number);
    int32_t *sizes = caucus_array(nodes, sizeof *sizes);
    int status = candidate->taken && candidate->number && sizes ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = number_nodes(candidate, nodes, sizes);
    if (!status)
        status = caucus_grid_problem_check(&candidate->problem);
    free(sizes);
    if (status)
        caucus_grid_candidate_free(candidate);
    return status;
}

void caucus_grid_candidate_free(struct caucus_grid_candidate *candidate) {
    caucus_nodes_free(&candidate->problem.nodes);
    free(candidate->taken);
    free(candidate->number);
    memset(candidate, 0, sizeof *candidate);
}

int caucus_grid_candidates(const struct caucus_grid_request *request,
                           const struct caucus_nodes *nodes, const int32_t *first,
                           struct caucus_grid_candidate candidates[2], int *count) {
    *count = 0;
    memset(candidates, 0, 2 * sizeof *candidates);
    int32_t *whole = caucus_array(nodes->count, sizeof *whole);
    if (!whole)
        return CAUCUS_NO_MEMORY;
    int status = caucus_grid_candidate_init(&candidates[0], request, nodes->count, first);
    *count = status ? 0 : 1;
    if (!status)
        status = caucus_nodes_take(nodes, request->grid.size, whole);
    if (!status && memcmp(whole, first, (size_t)nodes->count * sizeof *whole) != 0) {
        status = caucus_grid_candidate_init(&candidates[1], request, nodes->count, whole);
        *count += status ? 0 : 1;
    }
    free(whole);
    return status;
}
