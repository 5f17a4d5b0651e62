/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SUPPORT_FIRST_TOPOLOGY_H
#define CAUCUS_RUN_SUPPORT_FIRST_TOPOLOGY_H

/* Comes before a process makes its first grid where several threads may call MPI: MPICH 5.0.2 loses
 * one of two that threads make at the same time if they are the first ones. The earlier the better:
 * it makes a communicator of a single rank (alone.h). Local; any thread. */
void caucus_first_topology(void);

#endif
