/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_INDEX_RANGE_H
#define CAUCUS_INDEX_RANGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The global indices first, first + 1, ..., first + count - 1. */
typedef struct caucus_index_range {
    int64_t first, count;
} caucus_index_range;

#ifdef __cplusplus
}
#endif

#endif
