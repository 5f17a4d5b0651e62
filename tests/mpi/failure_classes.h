/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI calls the failure of a process; where it has no such class, what the library gives. */
#ifndef TESTS_MPI_FAILURE_CLASSES_H
#define TESTS_MPI_FAILURE_CLASSES_H

#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#ifndef MPIX_ERR_PROC_FAILED
#define MPIX_ERR_PROC_FAILED MPI_ERR_INTERN
#endif
#ifndef MPIX_ERR_PROC_FAILED_PENDING
#define MPIX_ERR_PROC_FAILED_PENDING MPI_ERR_PENDING
#endif

#endif
