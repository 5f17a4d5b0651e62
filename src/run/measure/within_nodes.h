/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cost model says of messages, flags, copies and one copy within a node, as measured on
 * the ranks at hand. */
#ifndef CAUCUS_RUN_MEASURE_WITHIN_NODES_H
#define CAUCUS_RUN_MEASURE_WITHIN_NODES_H

#include "plan/machine/model.h"
#include "run/engine/engine.h"

/* Replaces what the model says of that; the same on all ranks. Collective over the engine's
 * attachment, some node of which has several ranks; they should have a processor each, else what is
 * measured is how they take turns. All nodes measure by pairs of ranks, all at once, each of six
 * figures in about the given seconds, three times unless that takes far longer; the best counts,
 * and the median of all pairs. Where memory is not shared, what is said of flags and copies stays,
 * and what is said of one copy where the kernel does not make it. Takes 1 MiB of memory meanwhile.
 */
int caucus_measure_within_nodes(struct caucus_engine *engine, double seconds,
                                struct caucus_model *model);

#endif
