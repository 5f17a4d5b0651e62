/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_GRAPH_GROW_H
#define CAUCUS_PLAN_GRAPH_GROW_H

#include "plan/graph/graph.h"

/* Divides all vertices into parts, 0 to parts - 1, of just these sizes, each at least 1, that have
 * few ties between them. Pure and deterministic; O(ties log(parts) log(vertices)). */
int caucus_graph_grow(const struct caucus_ties *ties, int32_t parts, const int32_t *size,
                      int32_t *part_of_vertex);

#endif
