/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_BASE_MEMORY_H
#define CAUCUS_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* count * size zeroed bytes (never a null pointer for count 0), to be given to free(). On failure
 * or overflow NULL, with caucus_error_text() set: return CAUCUS_NO_MEMORY then. */
void *caucus_array(int64_t count, size_t size);

/* The same, with the contents of source (count * size bytes). */
void *caucus_array_copy(const void *source, int64_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif
