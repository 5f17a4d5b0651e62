/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages within a node by one copy, for the files of this folder. */
#ifndef CAUCUS_RUN_EXECUTION_LINKS_H
#define CAUCUS_RUN_EXECUTION_LINKS_H

#include "run/execution/state.h"

/* Whether the message may go by one copy; and whether it does, as it has a link, to which its other
 * end comes, too: not before the arena has its memory. */
bool caucus_may_be_linked(const struct caucus_execution *execution,
                          const struct caucus_operation *operation);
bool caucus_is_linked(const struct caucus_execution *execution,
                      const struct caucus_operation *operation);

/* Room for so many in a step. */
int caucus_links_reserve(struct caucus_execution *execution, int64_t count);

/* Of the open step: from or to memory that processors may touch. */
void caucus_links_post(struct caucus_execution *execution, const struct caucus_operation *operation,
                       char *at);

/* Moves those of the open step on; execution->links.left tells how many are not through. */
int caucus_links_test(struct caucus_execution *execution);

/* Of a run that failed: when it returns nobody touches this rank's memory any more. */
void caucus_links_abandon(struct caucus_execution *execution);

void caucus_links_free(struct caucus_execution *execution);

#endif
