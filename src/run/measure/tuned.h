/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that caucus tune has measured, and what of it only somebody with an MPI knows. */
#ifndef CAUCUS_RUN_MEASURE_TUNED_H
#define CAUCUS_RUN_MEASURE_TUNED_H

#include "base/tuned.h"
#include "plan/machine/model.h"

/* Name and version of the MPI at hand, as the head of such a file has them. Also before MPI_Init.
 */
void caucus_tuned_mpi(char mpi[CAUCUS_TUNED_ROOM]);

/* Into the model, which stays as it is where that fails: as caucus_tuned_open does, with
 * CAUCUS_NOT_APPLICABLE also where the file is of another MPI or version, and with CAUCUS_BAD_FILE
 * where it is malformed or a pipe. Local. */
int caucus_tuned_read(const char *path, struct caucus_model *model);

#endif
