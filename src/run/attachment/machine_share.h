/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_ATTACHMENT_MACHINE_SHARE_H
#define CAUCUS_RUN_ATTACHMENT_MACHINE_SHARE_H

#include "run/attachment/attach.h"

/* How many of its ranks, rounded up, there are for each processor that they may run on: on the
 * machine of this rank, whatever CAUCUS_NODES says to be a node. Collective over the attachment. */
int caucus_ranks_per_core(const struct caucus_attachment *attachment, int *ranks_per_core);

#endif
