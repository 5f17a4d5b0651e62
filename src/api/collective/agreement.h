/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks find out together about a call before it is worked out. */
#ifndef CAUCUS_API_COLLECTIVE_AGREEMENT_H
#define CAUCUS_API_COLLECTIVE_AGREEMENT_H

#include "api/collective/work.h"
#include "run/agree.h"

/* Whether ranks have to tell one another more than that they have the same. */
bool caucus_call_exchanges(const struct caucus_task *task);

/* Room for what items point to. */
struct caucus_call_items {
    char kind[64];
};

/* What must be the same on all ranks: how many items. work counts only where it was read. */
int caucus_call_list(const struct caucus_collective_call *call, const struct caucus_team *team,
                     const struct caucus_work *work, const char *forced,
                     struct caucus_call_items *room, struct caucus_item items[CAUCUS_AGREE_ITEMS]);

/* All ranks that make the call come here, with the status of what each did before; work counts only
 * where that is a success. All get the same outcome: an error where a rank failed or where roots,
 * lengths, operations, datatypes or collectives differ. On success, work has what was exchanged:
 * counts, traffic, volume. forced: what the info object says. */
int caucus_call_agree(const struct caucus_collective_call *call, const struct caucus_team *team,
                      int status, const char *forced, struct caucus_work *work);

/* For agreement_between.c: the operation and the size of its datatype as a number; and what is to
 * be found out between two groups, once all ranks have come and have the same collective. */
int64_t caucus_call_operation_number(const struct caucus_work *work);
int caucus_call_agree_between(const struct caucus_team *team, struct caucus_work *work);

#endif
