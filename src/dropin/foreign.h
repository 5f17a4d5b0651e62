/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_DROPIN_FOREIGN_H
#define CAUCUS_DROPIN_FOREIGN_H

#include <stdbool.h>

/* Whether the program runs on an MPI whose handles differ from those of the one that Caucus was
 * built with. Says so once, in a sentence. Any thread, also before MPI_Init. */
bool caucus_mpi_is_foreign(void);

#endif
