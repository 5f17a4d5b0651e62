/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/redistribute/call.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

int caucus_redistribute_layout(const struct caucus_redistribute_side *given,
                               const struct caucus_index_side *side, struct caucus_layout *layout) {
    MPI_Aint lower, extent = 0;
    *layout = (struct caucus_layout){.base = given->buffer, .flat = true};
    if (side->parts == 0)
        return CAUCUS_OK;
    PMPI_Type_get_extent(given->type, &lower, &extent);
    int64_t *counts = caucus_array(side->parts, sizeof *counts);
    int64_t *displacements = caucus_array(side->parts, sizeof *displacements);
    int status = counts && displacements ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int64_t i = 0; i < side->parts && !status; i++) {
        counts[i] = side->part[i].count;
        if (__builtin_mul_overflow(side->part[i].position, (int64_t)extent, &displacements[i]))
            status =
                caucus_fail(CAUCUS_BAD_COUNT, "%s spans more than 2^63 bytes", given->buffer_name);
    }
    if (!status)
        status = caucus_layout_many(layout, given->buffer, side->parts, counts, displacements,
                                    given->type);
    free(counts);
    free(displacements);
    return status;
}
