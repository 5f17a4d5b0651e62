/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "run/layout/layout.h"
#include "run/layout/type_pattern.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

static int measure(MPI_Datatype type, struct caucus_type_map *map) {
    MPI_Count size;
    MPI_Aint lower, extent, true_lower, true_extent;
    int status = caucus_mpi_status(PMPI_Type_size_x(type, &size), "MPI_Type_size_x");
    if (!status)
        status =
            caucus_mpi_status(PMPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
    if (!status)
        status = caucus_mpi_status(PMPI_Type_get_true_extent(type, &true_lower, &true_extent),
                                   "MPI_Type_get_true_extent");
    if (status)
        return status;
    map->size = size;
    map->extent = extent;
    map->true_lower = true_lower;
    map->true_extent = true_extent;
    return CAUCUS_OK;
}

int caucus_type_map_create(MPI_Datatype type, struct caucus_type_map **made) {
    struct caucus_type_map *map = caucus_array(1, sizeof *map);
    *made = NULL;
    if (!map)
        return CAUCUS_NO_MEMORY;
    map->references = 1;
    int status = measure(type, map);
    if (!status)
        status = caucus_type_pattern(type, &map->pattern);
    if (!status && map->pattern->size != map->size)
        status = caucus_fail(CAUCUS_INTERNAL, "a datatype of %lld bytes was understood as %lld",
                             (long long)map->size, (long long)map->pattern->size);
    if (status) {
        caucus_type_map_release(map);
        return status;
    }
    map->is_run = caucus_pattern_is_run(map->pattern, &map->run_at);
    map->dense = map->is_run && map->size == map->extent;
    *made = map;
    return CAUCUS_OK;
}

void caucus_type_map_release(struct caucus_type_map *map) {
    if (!map || --map->references > 0)
        return;
    caucus_pattern_release(map->pattern);
    free(map);
}
