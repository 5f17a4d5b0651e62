/* SPDX-License-Identifier: BSD-3-Clause */
/* The random calls of tests/mpi/intergroup_random.c by a program that knows nothing of Caucus.
 * run: ranks=5 preload args="300 31" mpi=mpich,openmpi,intel,abi
 * run: ranks=4 preload args="200 37" env=CAUCUS_SHARED_MEMORY=0 mpi=mpich,openmpi,intel,abi
 * run: ranks=6 preload args="200 41" env=CAUCUS_NODES=cyclic:2 mpi=mpich,openmpi,intel,abi
 * run: ranks=5 preload args="200 53 plain"
 * run: ranks=5 args="200 43 plain" mpi=mpich,openmpi
 * run: ranks=5 preload args="200 61 right" env=TEST_DEVICE=cuda
 * run: ranks=5 preload args="200 47 plain" env=CAUCUS_DISABLE=inter mpi=mpich,openmpi */
#define TEST_MPI
#include "../mpi/intergroup_random.h"
