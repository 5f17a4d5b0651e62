/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_BASE_MEMORY_H
#define CAUCUS_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* count * size zeroed bytes (never a null pointer for count 0), to be given to free(). On failure
 * or overflow NULL, with caucus_error_text() set: return CAUCUS_NO_MEMORY then. */
void *caucus_array(int64_t count, size_t size);

/* The same, with the contents of source (count * size bytes). */
void *caucus_array_copy(const void *source, int64_t count, size_t size);

/* The array, perhaps moved, with room for more than count elements; *room is how many it has room
 * for, 0 at first. What is added is not zeroed. On failure NULL, as above, and all as it was. */
void *caucus_array_grow(void *array, int64_t count, int64_t *room, size_t size);

/* How often one of these has failed in this thread: whether something that has no status of its own
 * went without memory. */
int64_t caucus_memory_refusals(void);

#endif
