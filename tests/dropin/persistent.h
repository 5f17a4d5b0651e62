/* SPDX-License-Identifier: BSD-3-Clause */
/* Some MPIs have no persistent collectives: then there is nothing to take over. */
#ifndef TESTS_DROPIN_PERSISTENT_H
#define TESTS_DROPIN_PERSISTENT_H

#include "../mpi/skip.h"
#include "report.h"

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define HAS_PERSISTENT 1
#else
#define HAS_PERSISTENT 0
#endif

static inline int without_persistent(void) {
    return skipped("this MPI has no persistent collectives");
}

#endif
