/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks get a cell of a grid that is smaller than the communicator. */
#ifndef CAUCUS_STUDY_GRID_TAKING_PART_H
#define CAUCUS_STUDY_GRID_TAKING_PART_H

#include "plan/machine/machine.h"

/* The first ranks of the largest nodes (caucus_nodes_take) as a machine of their own: *part, to be
 * freed, where rank i is rank (*rank_of_part)[i] of machine, ascending; free() that. Where all take
 * part, *rank_of_part is NULL and *part is a plain copy of machine that must not be freed. */
int caucus_machine_taking_part(const struct caucus_machine *machine, int64_t ranks,
                               struct caucus_machine *part, int32_t **rank_of_part);

#endif
