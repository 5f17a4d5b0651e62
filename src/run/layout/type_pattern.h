/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_LAYOUT_TYPE_PATTERN_H
#define CAUCUS_RUN_LAYOUT_TYPE_PATTERN_H

#include "run/layout/contents.h"
#include "run/layout/pattern.h"

/* The pattern of an element of a datatype. */
int caucus_type_pattern(MPI_Datatype type, struct caucus_pattern **pattern);

/* Parts of arrays, from the contents of their types; child, whose elements are extent apart, is
 * taken over. NULL where memory is missing. */
struct caucus_pattern *caucus_subarray_pattern(const struct caucus_contents *contents,
                                               struct caucus_pattern *child, int64_t extent);
struct caucus_pattern *caucus_darray_pattern(const struct caucus_contents *contents,
                                             struct caucus_pattern *child, int64_t extent);

#endif
