/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that combine operands of C types by predefined operations. */
#ifndef CAUCUS_RUN_EXECUTION_KERNELS_H
#define CAUCUS_RUN_EXECUTION_KERNELS_H

#include <mpi.h>
#include <stdint.h>

/* target[i] = source[i] op target[i]; the operands do not overlap. */
typedef void caucus_kernel(const void *restrict source, void *restrict target, int64_t count);

/* NULL where there is none: leave it to MPI_Reduce_local then. */
caucus_kernel *caucus_kernel_find(MPI_Op op, MPI_Datatype type);

#endif
