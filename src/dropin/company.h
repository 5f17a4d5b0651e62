/* SPDX-License-Identifier: BSD-3-Clause */
/* LD_PRELOAD may name the drop-ins of several MPIs, so that each program has the one that fits. */
#ifndef CAUCUS_DROPIN_COMPANY_H
#define CAUCUS_DROPIN_COMPANY_H

#include <stdbool.h>

/* Whether another drop-in is loaded that was built for the MPI at hand. */
bool caucus_company_fits(void);

/* Of two drop-ins the loader gives both the library of the first, and the program that one's calls.
 * So a drop-in that does not fit, and stands before one that does, starts the program again, with
 * the latter named first: in a constructor, before anything of the program has run. Returns where
 * there is nothing to do, or it can't be done. */
void caucus_company_go_last(char **argv);

#endif
