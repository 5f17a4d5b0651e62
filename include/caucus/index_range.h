/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief A range of global indices.
 */
#ifndef CAUCUS_INDEX_RANGE_H
#define CAUCUS_INDEX_RANGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The global indices first, first + 1, ..., first + count - 1 of a distributed field.
 *
 * @ingroup redistribute
 */
typedef struct caucus_index_range {
    int64_t first; /**< The first index; may be negative. */
    int64_t count; /**< How many indices, at least 0. */
} caucus_index_range;

#ifdef __cplusplus
}
#endif

#endif
