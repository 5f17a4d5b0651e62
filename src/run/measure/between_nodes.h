/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cost model says of messages between nodes, as measured on the ranks at hand. */
#ifndef CAUCUS_RUN_MEASURE_BETWEEN_NODES_H
#define CAUCUS_RUN_MEASURE_BETWEEN_NODES_H

#include "plan/machine/model.h"
#include "run/attachment/attach.h"

/* Replaces what the model says of messages between nodes and of cards; the same on all ranks.
 * Collective over the attachment, which has several nodes. Nodes measure by pairs, all at once:
 * first a rank of each, then all, in about the given seconds, whatever the number of nodes, or
 * in what 1 MiB takes where cards are slow. Takes 1 MiB of memory meanwhile. */
int caucus_measure_between_nodes(const struct caucus_attachment *attachment, double seconds,
                                 struct caucus_model *model);

#endif
