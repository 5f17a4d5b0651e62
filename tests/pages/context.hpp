/* SPDX-License-Identifier: BSD-3-Clause */
/* As context.h, for C++. */
#include <caucus/caucus.hpp>

extern MPI_Comm comm;
extern int rank, size, n, steps;
extern double *in, *out;
