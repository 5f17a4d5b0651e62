/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that runs on an MPI whose handles differ from those of the one that Caucus was built
 * with: somebody mixed two by LD_LIBRARY_PATH or LD_PRELOAD. No handle of ours means anything
 * there, so that nothing here has the type of one. */
#ifndef CAUCUS_RUN_SUPPORT_FOREIGN_H
#define CAUCUS_RUN_SUPPORT_FOREIGN_H

#include <mpi.h>
#include <stdbool.h>

/* MPIs whose handles are alike: the standard ABI, the MPICH ABI initiative, Open MPI. */
enum caucus_mpi_family {
    CAUCUS_MPI_STANDARD,
    CAUCUS_MPI_MPICH_LIKE,
    CAUCUS_MPI_OPEN_MPI_LIKE,
    CAUCUS_MPI_UNKNOWN
};

/* Of whoever includes this: where two builds of Caucus meet in a process, the drop-in of one may
 * get the library of the other. */
#if defined(MPI_ABI) || (defined(MPI_ABI_VERSION) && MPI_ABI_VERSION >= 1)
enum { CAUCUS_MPI_BUILT_FOR = CAUCUS_MPI_STANDARD };
#elif defined(OPEN_MPI)
enum { CAUCUS_MPI_BUILT_FOR = CAUCUS_MPI_OPEN_MPI_LIKE };
#elif defined(MPICH_VERSION) || defined(I_MPI_VERSION)
enum { CAUCUS_MPI_BUILT_FOR = CAUCUS_MPI_MPICH_LIKE };
#else
enum { CAUCUS_MPI_BUILT_FOR = CAUCUS_MPI_UNKNOWN };
#endif

/* Any thread, also before MPI_Init; found out once. */
enum caucus_mpi_family caucus_mpi_at_hand(void);

static inline bool caucus_mpi_is_foreign(void) {
    return (int)caucus_mpi_at_hand() != (int)CAUCUS_MPI_BUILT_FOR;
}

/* What `who`, as "this drop-in", was built for and what the program runs on, and then what follows
 * from that, on standard error: by rank 0 alone, as MPI tells it while it is up, else as the
 * launcher does. */
void caucus_mpi_tell_foreign(int built_for, const char *who, const char *consequence);

/* Ends the program, with a sentence, where the MPI is foreign: before the library's first use of a
 * handle. */
void caucus_mpi_insist(void);

#endif
