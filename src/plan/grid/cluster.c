/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/cluster.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/shape.h"
#include "plan/grid/steps.h"

#include <stdlib.h>
#include <string.h>

/* The position that step k leads to, -1 if that is no other cell of the cluster. */
static int32_t follow(const struct caucus_grid *grid, const struct caucus_steps *steps,
                      const struct caucus_cluster *cluster, const int *at, int position, int k) {
    int64_t cell = caucus_grid_neighbor(grid, at, steps->offset + (size_t)k * (size_t)grid->ndims);
    return cell < 0 || cell == cluster->cell[position]
               ? -1
               : caucus_shape_position(cluster->count, cluster->cell, cell);
}

static int list_links(const struct caucus_grid *grid, const struct caucus_steps *steps,
                      struct caucus_cluster *cluster) {
    int count = cluster->count;
    int64_t most = (int64_t)count * (steps->count < count ? steps->count : count), links = 0;
    cluster->link_start = caucus_array((int64_t)count + 1, sizeof *cluster->link_start);
    cluster->link_to = caucus_array(most, sizeof *cluster->link_to);
    cluster->link_weight = caucus_array(most, sizeof *cluster->link_weight);
    if (!cluster->link_start || !cluster->link_to || !cluster->link_weight)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cluster->cell[i], at);
        for (int k = 0; k < steps->count; k++) {
            int32_t other = follow(grid, steps, cluster, at, i, k);
            if (other < 0)
                continue;
            cluster->link_to[links] = other;
            cluster->link_weight[links++] = steps->weight[k];
        }
        cluster->link_start[i + 1] = links;
    }
    return CAUCUS_OK;
}

static int compare_numbers(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* Replaces coordinates by their ranks, so that they can be sorted by counting. */
static void compress(int count, int32_t *coordinate, int32_t *sorted) {
    int different = 0;
    memcpy(sorted, coordinate, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    for (int i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[different - 1])
            sorted[different++] = sorted[i];
    for (int i = 0; i < count; i++) {
        const int32_t *found =
            bsearch(&coordinate[i], sorted, (size_t)different, sizeof *sorted, compare_numbers);
        coordinate[i] = (int32_t)(found - sorted);
    }
}

static int find_coordinates(const struct caucus_grid *grid, struct caucus_cluster *cluster) {
    int64_t count = cluster->count;
    cluster->coordinate = caucus_array(count * grid->ndims, sizeof *cluster->coordinate);
    cluster->memory = caucus_array(11 * count + 1, sizeof *cluster->memory);
    if (!cluster->coordinate || !cluster->memory)
        return CAUCUS_NO_MEMORY;
    int status = caucus_shape_coordinates(grid, cluster->count, cluster->cell, cluster->coordinate);
    for (int axis = 0; axis < grid->ndims && !status; axis++) {
        int32_t *along = cluster->coordinate + axis * count;
        for (int64_t i = 0; i < count; i++)
            if (along[i] >= count) {
                compress(cluster->count, along, cluster->memory);
                break;
            }
    }
    for (int64_t i = 0; i < count; i++)
        cluster->memory[i] = -1;
    return status;
}

int caucus_cluster_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        int count, const int64_t *cells, struct caucus_cluster *cluster) {
    struct caucus_steps steps;
    *cluster = (struct caucus_cluster){.count = count, .ndims = grid->ndims, .cell = cells};
    int status = caucus_steps_init(grid, stencil, &steps);
    if (status)
        return status;
    status = list_links(grid, &steps, cluster);
    if (!status)
        status = find_coordinates(grid, cluster);
    caucus_steps_free(&steps);
    if (status)
        caucus_cluster_free(cluster);
    return status;
}

void caucus_cluster_free(struct caucus_cluster *cluster) {
    free(cluster->coordinate);
    free(cluster->link_start);
    free(cluster->link_to);
    free(cluster->link_weight);
    free(cluster->memory);
    memset(cluster, 0, sizeof *cluster);
}

double caucus_cluster_cut(const struct caucus_cluster *cluster, const int32_t *label) {
    double cut = 0;
    for (int i = 0; i < cluster->count; i++)
        for (int64_t link = cluster->link_start[i]; link < cluster->link_start[i + 1]; link++)
            if (label[cluster->link_to[link]] != label[i])
                cut += cluster->link_weight[link];
    return cut;
}
