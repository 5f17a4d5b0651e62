/* SPDX-License-Identifier: BSD-3-Clause */
/* What the pieces of programs on the pages take for granted; each is compiled in a function behind
 * this, and never run. Functions in a function are GNU C, and cannot be static. */
#include <caucus/caucus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define static

MPI_Comm comm, inter, made, grid, between, own_group;
MPI_Group mpi_group;
MPI_Win window;
caucus_group group, smaller, merged, all;
caucus_request request, requests[8];
caucus_channel channel;
caucus_channel_options options;
caucus_delivery message;
caucus_pool pool;
caucus_balance balance;
int rank, size, n, k, tag, count, steps, root, members[64], firsts[64], askers[8], instead, first;
int source, work, left, m, leader_of_the_others, remote_leader, more, detected, i_found_something,
    it, length, bytes, stencil[8], quiet, received;
double *in, *out, *field, *mine, *theirs;
void *base, *proposal, *buffer;

struct molecule {
    int atoms;
} *molecule, another;
int ranks_for(const struct molecule *molecule);
int is_fine(const caucus_delivery *proposal);
void handle(const caucus_delivery *message);
void hear(void *context, const caucus_delivery *message);
void compute(double *field);
void compute_something_else(void);
int do_a_step_of(int work, caucus_group group);
