/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_PLAN_REDISTRIBUTE_SCHEDULE_H
#define CAUCUS_PLAN_REDISTRIBUTE_SCHEDULE_H

#include "plan/redistribute/relay.h"
#include "plan/schedule/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAUCUS_RELAY_CHUNKS = 2 }; /* that a rank has room for */

/* Bytes from which a message to another node is cut, below what MPIs send at once over TCP (64 KiB
 * and less); and into how many pieces at most. */
enum { CAUCUS_MESSAGE_PIECE = 60 << 10, CAUCUS_MESSAGE_PIECES = 16 };

/* A redistribution as a schedule, whose in and out are the two buffers in the order of the sides.
 * To be freed. */
int caucus_redistribution_schedule(const struct caucus_redistribution *redistribution,
                                   const struct caucus_relay *relay,
                                   struct caucus_schedule *schedule);

#ifdef __cplusplus
}
#endif

#endif
