/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs over everything: collectives of all forms in flight while communicators, grids
 * and groups are made, merged and freed, channels storm, messages go by name and to anybody, and
 * requests are completed by every kind of wait and test. The arguments are told in
 * tests/random/program.h.
 *
 * run: ranks=3 args="--programs 10" mpi=mpich
 * run: ranks=5 args="--programs 1 --seed 17" mpi=mpich
 * run: ranks=4 args="--programs 10 --seed 100 --matched" env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich */
#include "../random/program.h"
