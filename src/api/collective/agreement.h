/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks find out together about a call before it is worked out. */
#ifndef CAUCUS_API_COLLECTIVE_AGREEMENT_H
#define CAUCUS_API_COLLECTIVE_AGREEMENT_H

#include "api/collective/work.h"
#include "run/peers/agree.h"

/* Whether ranks have to tell one another more than that they have the same. */
bool caucus_call_exchanges(const struct caucus_task *task);

/* Room for what items point to. */
struct caucus_call_items {
    char kind[64];
    int exact;
};

/* What must be the same on all ranks: how many items. work counts only where it was read. */
int caucus_call_list(const struct caucus_collective_call *call,
                     const struct caucus_context *context, const struct caucus_work *work,
                     const char *forced, struct caucus_call_items *room,
                     struct caucus_item items[CAUCUS_AGREE_ITEMS]);

/* All ranks that make the call come here, with the status of what each did before; work counts only
 * where that is a success. All get the same outcome: an error where a rank failed or where roots,
 * lengths, operations, datatypes or collectives differ. On success, work has what was exchanged:
 * counts, traffic, volume. forced: what the info object says. */
int caucus_call_agree(const struct caucus_collective_call *call,
                      const struct caucus_context *context, int status, const char *forced,
                      struct caucus_work *work);

/* Its parts, once all ranks have come and have the same collective: between two groups who the root
 * is, and lengths that all ranks of a group have alike; then lengths that differ. */
int caucus_call_agree_between(const struct caucus_context *context, struct caucus_work *work,
                              int *root);
int caucus_call_agree_counts(const struct caucus_context *context, struct caucus_work *work,
                             int root);

/* For them: whether the block length is the same on all ranks of a group; the operation and the
 * size of its datatype as a number; whether a block is as long as the other side expects. */
bool caucus_call_has_one_length(enum caucus_collective collective);
int64_t caucus_call_operation_number(const struct caucus_work *work);
int caucus_call_fits(int64_t sent, int64_t received, int sender, int receiver);

#endif
