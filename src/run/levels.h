/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_LEVELS_H
#define CAUCUS_RUN_LEVELS_H

#include "run/attach.h"

/* Fills the levels of the attachment: those that CAUCUS_LEVELS wants, as CAUCUS_NODES tells where
 * it does, else from the hardware. Collective over attachment->comm; fails only for a malformed
 * CAUCUS_LEVELS and for want of memory, on all ranks alike. */
int caucus_find_levels(struct caucus_attachment *attachment);

#endif
