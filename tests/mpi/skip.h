/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program returns where it can't test what it is for: that is no pass.
 * tools/testing/cases.py knows the status, and the words behind "skipped: " are the reason. */
#ifndef TESTS_MPI_SKIP_H
#define TESTS_MPI_SKIP_H

#include <mpi.h>
#include <stdio.h>

enum { STATUS_SKIPPED = 77 };

static inline int skipped(const char *reason) {
    printf("skipped: %s\n", reason);
    return STATUS_SKIPPED;
}

/* MPI is over after it. */
static inline int skipped_without_threads(void) {
    MPI_Finalize();
    return skipped("this MPI has no MPI_THREAD_MULTIPLE");
}

#endif
