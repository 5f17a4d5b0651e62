/* SPDX-License-Identifier: BSD-3-Clause */
/* What the info object of a persistent collective says. */
#ifndef CAUCUS_API_COLLECTIVE_HINTS_H
#define CAUCUS_API_COLLECTIVE_HINTS_H

#include "api/collective/context.h"
#include "api/common/hint.h"

struct caucus_hints {
    char forced[CAUCUS_INFO_VALUE];
    char agreed[2 * CAUCUS_INFO_VALUE]; /* what must be the same on all ranks */
    bool shares_memory;
    int sending; /* enum caucus_sending */
};

/* Local. On failure, only what is agreed means anything: "". */
int caucus_hints_read(MPI_Info info, const struct caucus_context *context,
                      struct caucus_hints *hints);

#endif
