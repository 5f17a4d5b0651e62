/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages between nodes go by. */
#ifndef CAUCUS_RUN_MEASURE_FABRIC_H
#define CAUCUS_RUN_MEASURE_FABRIC_H

enum { CAUCUS_FABRIC_ROOM = 1024 };

/* What can be told of it here: the settings of MPI's that choose it, and how fast the fastest card
 * is. The same words mean the same fabric. Local. */
void caucus_fabric_describe(char text[CAUCUS_FABRIC_ROOM]);

#endif
