/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI_THREAD_MULTIPLE members meet by the communicator, too: what was counted for those that
 * are freed does not stay.
 * run: ranks=4 preload mpi=mpich
 * Other MPIs may keep memory of their own. */
#include "../mpi/check.h"
#include "../mpi/skip.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ROUNDS = 2000, BYTES_A_ROUND = 64 }; /* what was counted takes 48 for each member */

static void make(void) {
    MPI_Comm copy, made;
    MPI_Group all;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_group(copy, &all);
    CHECK_MPI(MPI_Comm_create_group(copy, all, 0, &made));
    MPI_Group_free(&all);
    MPI_Comm_free(&made);
    MPI_Comm_free(&copy);
}

static long used(void) {
#ifdef __GLIBC__
    struct mallinfo2 now = mallinfo2();
    return (long)(now.uordblks + now.hblkhd);
#else
    return 0;
#endif
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    for (int i = 0; i < ROUNDS / 10; i++)
        make();
    long before = used();
    for (int i = 0; i < ROUNDS; i++)
        make();
    long grown = used() - before;
    CHECK(grown < (long)ROUNDS * BYTES_A_ROUND, "%ld bytes more after %d rounds", grown, ROUNDS);
    MPI_Finalize();
    return 0;
}
