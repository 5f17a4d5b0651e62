/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_HARDWARE_H
#define CAUCUS_RUN_HARDWARE_H

#include "run/attach.h"

/* The package and the shared cache (or NUMA node, where no third-level cache is shared) that this
 * process is bound within, by hwloc's logical numbers; -1 where it is bound to several or none.
 * Found out once in a process; any thread. Never fails. */
void caucus_hardware_labels(int32_t label[CAUCUS_INNER_LEVELS]);

#endif
