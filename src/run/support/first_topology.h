/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SUPPORT_FIRST_TOPOLOGY_H
#define CAUCUS_RUN_SUPPORT_FIRST_TOPOLOGY_H

/* Comes before a process makes its first grid: MPICH 5.0.2 loses one of two that threads make at
 * the same time if they are the first ones. Local; any thread. */
void caucus_first_topology(void);

#endif
