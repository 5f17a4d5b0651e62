/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group of a program that knows nothing of Caucus, on a duplicate, where one member
 * has no memory for something in either call: all get a communicator, or errors, and nobody waits
 * for somebody who has left the call to MPI. This program's calloc, which the library finds before
 * the C library's, refuses one array after the other.
 *
 * run: ranks=3 preload
 * run: ranks=3 preload args=multiple */
#define _GNU_SOURCE
#include "../mpi/check.h"
#include "../mpi/own_calloc.h"
#include "../mpi/skip.h"

enum { RANKS = 3, NEVER = -1 };

static int left = NEVER; /* so many are granted yet */
static bool refused;

static bool refuses(size_t count, size_t size) {
    (void)count, (void)size;
    if (left == NEVER || calloc_is_mpis())
        return false;
    if (left-- > 0)
        return false;
    refused = true;
    return true;
}

static int create(MPI_Comm comm, MPI_Comm *made) {
    MPI_Group all, some;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, RANKS, (const int[]){2, 0, 1}, &some);
    *made = MPI_COMM_NULL;
    int code = MPI_Comm_create_group(comm, some, 5, made);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    return code;
}

/* Whether one was refused. */
static int check(int granted) {
    MPI_Comm comm, made;
    refused = false;
    left = world_rank() == 1 ? granted : NEVER;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    int code = create(comm, &made), any = refused;
    left = NEVER;
    CHECK((code == MPI_SUCCESS) == (made != MPI_COMM_NULL), "code %d", code);
    MPI_Bcast(&any, 1, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK(any || code == MPI_SUCCESS, "code %d, and nothing was refused", code);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    CHECK_MPI(create(comm, &made));
    MPI_Comm_free(&made);
    MPI_Comm_free(&comm);
    return any;
}

int main(int argc, char **argv) {
    int provided, granted = 0;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("calloc is not this program's");
    }
    while (check(granted))
        granted++;
    CHECK(granted > 0, "nothing was refused");
    MPI_Finalize();
    return 0;
}
