/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/lighten.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/graph/exchange.h"
#include "plan/graph/grow.h"

#include <stdlib.h>
#include <string.h>

int caucus_graph_lighten(const struct caucus_ties *ties, int32_t parts, const int32_t *size,
                         int32_t *part_of_vertex) {
    int64_t visits = caucus_exchange_visits(ties);
    int32_t *grown = caucus_array(ties->vertices, sizeof *grown);
    int status = grown ? caucus_graph_grow(ties, parts, size, grown) : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_exchange_all(ties, parts, grown, &visits);
    if (!status)
        status = caucus_exchange_all(ties, parts, part_of_vertex, &visits);
    if (!status && caucus_ties_cut(ties, grown) < caucus_ties_cut(ties, part_of_vertex))
        memcpy(part_of_vertex, grown, (size_t)ties->vertices * sizeof *part_of_vertex);
    free(grown);
    return status;
}
