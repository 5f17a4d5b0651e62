/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests that were freed, for the next ones of the same kind on the same communicator:
 * a program that makes and frees them in a loop pays once for schedules and node memory. At most 16
 * of them with 16 MiB of node memory together are kept; the oldest go. */
#ifndef CAUCUS_API_COLLECTIVE_SHELF_H
#define CAUCUS_API_COLLECTIVE_SHELF_H

#include "api/collective/request.h"

struct caucus_shelf;

int caucus_shelf_create(struct caucus_shelf **shelf);
void caucus_shelf_free(struct caucus_shelf *shelf); /* NULL does nothing */

/* Takes an inactive request that nobody has any more; whatever was held for it is not. */
void caucus_shelf_put(struct caucus_shelf *shelf, struct caucus_request_object *request);

/* The last one that was made with this key, taken off the shelf; NULL if there is none. Local, and
 * other ranks may find another. */
struct caucus_request_object *caucus_shelf_take(struct caucus_shelf *shelf, const void *key,
                                                size_t bytes);

#endif
