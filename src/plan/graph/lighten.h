/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_GRAPH_LIGHTEN_H
#define CAUCUS_PLAN_GRAPH_LIGHTEN_H

#include "plan/graph/graph.h"

/* Replaces a division into parts of these sizes by one with a lighter cut, where exchanges or
 * halves that grow anew lead to one. */
int caucus_graph_lighten(const struct caucus_ties *ties, int32_t parts, const int32_t *size,
                         int32_t *part_of_vertex);

#endif
