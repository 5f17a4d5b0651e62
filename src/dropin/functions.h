/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of MPI's that the drop-in defines, found in its own symbols. This file knows
 * nothing of mpi.h. */
#ifndef CAUCUS_DROPIN_FUNCTIONS_H
#define CAUCUS_DROPIN_FUNCTIONS_H

#include <link.h>
#include <stdbool.h>

enum { CAUCUS_FUNCTIONS_MOST = 1024 };

/* MPI_X, where the drop-in has it, and where PMPI_X is. */
struct caucus_function {
    const char *name;
    void *ours, *behind;
};

/* Before all others, and not while objects are looked at. Any thread. */
void caucus_functions_learn(void);
int caucus_functions_count(void);
const struct caucus_function *caucus_function(int number); /* sorted by name */

/* That of MPI_X; of what an address is that of, MPI_X or PMPI_X; -1 where there is none. */
int caucus_function_named(const char *name);
int caucus_function_at(const void *address);

/* Whether it matters to collectives which a later call completes, and to no others. */
bool caucus_function_is_of_requests(const char *name);

/* Whether the object is the drop-in. */
bool caucus_functions_are_in(const struct dl_phdr_info *object);

#endif
