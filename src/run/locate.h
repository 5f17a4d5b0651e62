/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_LOCATE_H
#define CAUCUS_RUN_LOCATE_H

#include "run/attach.h"

/* Finds the nodes of comm: fills everything of the attachment, whose private duplicate is there,
 * but its levels. Collective; all ranks get the same outcome. O(nodes) memory, rank 0 O(ranks)
 * where it reads CAUCUS_NODES. */
int caucus_locate(MPI_Comm comm, struct caucus_attachment *attachment);

#endif
