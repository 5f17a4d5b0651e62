/* SPDX-License-Identifier: BSD-3-Clause */
/* METIS 5 (G. Karypis), where it can be loaded. */
#ifndef CAUCUS_BASE_METIS_H
#define CAUCUS_BASE_METIS_H

#include <stdbool.h>
#include <stdint.h>

/* Divides the vertices of a graph into parts, 0 to parts - 1, of about these sizes, with a light
 * cut: method 0 by METIS_PartGraphKway, 1 by METIS_PartGraphRecursive. start ([vertices + 1]), to,
 * weight: the neighbours of each vertex and what ties it to them, alike in the lists of both; all
 * weights at least 1, their sum at most 2^30. False where METIS is not there, CAUCUS_METIS says
 * none, or it does not serve: for one part, and for fewer than four vertices a part, of which it
 * leaves some empty. Any thread; one at a time. */
bool caucus_metis_partition(int32_t vertices, const int64_t *start, const int32_t *to,
                            const int32_t *weight, int32_t parts, const int32_t *size, int method,
                            int32_t *part_of_vertex);

/* Whether what CAUCUS_METIS names can be had, where it is not the default. */
int caucus_metis_check_setting(void);

#endif
