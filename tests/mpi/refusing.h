/* SPDX-License-Identifier: BSD-3-Clause */
/* How programs begin whose own calloc refuses memory to Caucus. */
#ifndef TESTS_MPI_REFUSING_H
#define TESTS_MPI_REFUSING_H

#include "check.h"
#include "own_calloc.h"
#include "skip.h"

#include <caucus/caucus.h>

/* MPI_Init, errors returned, the world attached; what main is to return where calloc is not this
 * program's, after MPI_Finalize, or else 0. */
static inline int begin_refusing(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("calloc is not this program's");
    }
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    return 0;
}

#endif
