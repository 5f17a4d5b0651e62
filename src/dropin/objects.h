/* SPDX-License-Identifier: BSD-3-Clause */
/* What else in this process has a hand in MPI's calls: who refers to PMPI_Wait calls it around the
 * drop-in, and who comes first with an MPI_Wait of his own hides it. This file knows nothing of
 * mpi.h. */
#ifndef CAUCUS_DROPIN_OBJECTS_H
#define CAUCUS_DROPIN_OBJECTS_H

#include "api/calls/left.h"

#include <stdbool.h>

/* Looks through all loaded objects: which calls cannot be taken over whole. words tell of the first
 * that is worst: "libtool.so calls PMPI_Wait". */
enum caucus_left caucus_objects_look(char words[CAUCUS_LEFT_WORDS]);

/* Whether any has been loaded since this was last called. */
bool caucus_objects_are_new(void);

#endif
