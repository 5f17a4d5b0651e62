/* SPDX-License-Identifier: BSD-3-Clause */
/* The random programs of dropin_random_everything.c where a third of the calls that start and
 * complete requests go to MPI by its other names, as Fortran wrappers and tools do: what the
 * drop-in cannot have whole it leaves to MPI, and the data are right.
 *
 * run: ranks=3 preload args="--programs 10 --seed 30 --single" mpi=mpich
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking mpi=mpich args="--seed 40 --single"
 * run: ranks=4 preload env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich args="--seed 60 --single --matched"
 */
#define TEST_MPI
#define TEST_BYPASS
#include "../random/program.h"
