/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_GRAPH_PARTITIONERS_H
#define CAUCUS_PLAN_GRAPH_PARTITIONERS_H

#include "plan/graph/choose.h"

/* Those that are loaded where they are there: METIS and Scotch. */
extern const struct caucus_partitioner caucus_partitioners[];

#endif
