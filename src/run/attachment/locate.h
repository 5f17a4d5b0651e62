/* SPDX-License-Identifier: BSD-3-Clause */
/* What an attachment's maker finds out of where ranks lie. */
#ifndef CAUCUS_RUN_ATTACHMENT_LOCATE_H
#define CAUCUS_RUN_ATTACHMENT_LOCATE_H

#include "run/attachment/attach.h"

/* Finds the nodes of comm and their levels: fills everything of the attachment, whose private
 * duplicate is there. Collective; all ranks get the same outcome, but for *own, how what this rank
 * does by itself at the end has gone, which is to be agreed on. O(1) memory where all nodes
 * have equally many ranks, else O(nodes); rank 0 O(ranks) where it reads CAUCUS_NODES. */
int caucus_locate(MPI_Comm comm, struct caucus_attachment *attachment, int *own);

/* What CAUCUS_NODES says of this rank of comm: fills `described` and `origin` of the attachment,
 * whose private duplicate is there. A communicator that Caucus made keeps what was said before.
 * Otherwise rank 0 reads the description, which numbers the ranks of MPI_COMM_WORLD, so that every
 * communicator sees the same nodes; in a program of sessions, which has none, those of comm.
 * A description that is to be forgiven (base/refused.h) counts for nothing. Processes of several
 * worlds, as MPI_Comm_spawn makes them, are described by nothing: their nodes are the real ones.
 * Collective; all ranks get the same outcome. */
int caucus_describe(MPI_Comm comm, struct caucus_attachment *attachment);

/* Whether CAUCUS_NODES describes the ranks of MPI_COMM_WORLD, where there is one; and whether
 * CAUCUS_LEVELS is well-formed. Local. */
int caucus_describe_check_setting(void);
int caucus_levels_check_setting(void);

/* What ranks of a node tell their leader of the levels within it. */
struct caucus_levels {
    bool wanted[CAUCUS_INNER_LEVELS];
    int32_t *labels; /* of a leader: owned */
};

/* Reads which levels CAUCUS_LEVELS wants, and makes room. Local; *levels is to be freed in any
 * case. Fails for a malformed CAUCUS_LEVELS and for want of memory. */
int caucus_levels_begin(const struct caucus_attachment *attachment, struct caucus_levels *levels);
void caucus_levels_free(struct caucus_levels *levels);

/* Fills the levels of the attachment, as CAUCUS_NODES tells them where it does, else from the
 * hardware. Collective over attachment->node; a leader may fail for want of memory. */
int caucus_levels_find(struct caucus_attachment *attachment, struct caucus_levels *levels);

/* The package and the shared cache (or NUMA node, where no third-level cache is shared) that this
 * process is bound within, by hwloc's logical numbers; -1 where it is bound to several or none.
 * Found out once in a process; any thread. Never fails. */
void caucus_hardware_labels(int32_t label[CAUCUS_INNER_LEVELS]);

#endif
