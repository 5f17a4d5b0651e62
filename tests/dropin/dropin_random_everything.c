/* SPDX-License-Identifier: BSD-3-Clause */
/* The random programs of tests/mpi/random_everything.c as far as MPI has their calls.
 *
 * run: ranks=4 args="--programs 10 --single" mpi=mpich
 * run: ranks=3 preload args="--programs 10 --seed 50" mpi=mpich
 * run: ranks=4 preload env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich args="--matched"
 */
#define TEST_MPI
#include "../random/program.h"
