/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_DESCRIBE_H
#define CAUCUS_RUN_DESCRIBE_H

#include "run/attach.h"

/* What CAUCUS_NODES says of this rank of comm: fills `described` and `origin` of the attachment,
 * whose private duplicate is there. A communicator that Caucus made keeps what was said before.
 * Otherwise rank 0 reads the description, which numbers the ranks of MPI_COMM_WORLD, so that every
 * communicator sees the same nodes; in a program of sessions, which has none, those of comm.
 * Processes of several worlds, as MPI_Comm_spawn makes them, are described by nothing: their nodes
 * are the real ones. Collective; all ranks get the same outcome. */
int caucus_describe(MPI_Comm comm, struct caucus_attachment *attachment);

#endif
