/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of a task between two groups otherwise than of one group. */
#ifndef CAUCUS_API_COLLECTIVE_BETWEEN_H
#define CAUCUS_API_COLLECTIVE_BETWEEN_H

#include "api/collective/work.h"

/* The lengths and the volume, of work whose buffers were measured. Local. */
void caucus_between_measure(struct caucus_work *work, const struct caucus_team *team);

/* The length of a block of the first group's and of the second one's, as this rank has them. */
void caucus_between_lengths(const struct caucus_task *task, int64_t lengths[2]);

/* Again, where the length has come from others. */
void caucus_between_set_volume(struct caucus_work *work, const struct caucus_team *team);

/* How many entries receive_bytes, or send_bytes, has where it has any. */
int32_t caucus_between_blocks(const struct caucus_task *task, bool receives);

#endif
