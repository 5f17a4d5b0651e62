/* SPDX-License-Identifier: BSD-3-Clause */
/* Random collectives between random groups, one call or many at a time: shapes, roots on either
 * side, types that differ between ranks, empty blocks, one direction, wrong arguments. Every byte
 * is compared with what a computation on one process gives, guards and gaps included. Arguments:
 * how many calls, the seed, and any of: right (no wrong arguments), plain (that, and only what MPIs
 * get right themselves), loud.
 *
 * run: ranks=5 args=500 mpi=mpich,openmpi,intel,abi
 * run: ranks=6 args="400 7" mpi=mpich,openmpi,intel,abi
 * run: ranks=3 args="300 11" env=CAUCUS_SHARED_MEMORY=0 mpi=mpich,openmpi,intel,abi
 * run: ranks=6 args="300 13" env=CAUCUS_NODES=cyclic:3 mpi=mpich,openmpi,intel,abi
 * run: ranks=5 args="300 17" env=CAUCUS_CHECK=1 mpi=mpich,openmpi,intel,abi
 * run: ranks=2 args="200 19" mpi=mpich,openmpi,intel,abi
 * run: ranks=5 args="300 59 right"
 * run: ranks=9 args="600 {day}" full
 * run: ranks=6 args="1000 {day}" env=CAUCUS_NODES=2x3 full */
#include "intergroup_random.h"
