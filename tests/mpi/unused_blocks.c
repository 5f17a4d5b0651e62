/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an empty block would be is of no account: the place may be anything, also where times the
 * extent of the datatype it is beyond 2^63.
 * run: ranks=1,3 mpi=mpich,openmpi,intel,abi
 * run: ranks=2 env=CAUCUS_CHECK=1 */
#include "check.h"

#include <caucus/caucus.h>

#include <stdint.h>

enum { MOST = 8 };

static int rank, size, out[MOST];
static MPI_Count counts[MOST];
static MPI_Aint places[MOST];

/* One element from and to each but the last rank. */
static void lay_out(void) {
    for (int i = 0; i < size; i++) {
        counts[i] = i < size - 1;
        places[i] = counts[i] ? i : (MPI_Aint)INT64_MAX;
        out[i] = -1;
    }
}

static void expect(int from_each) {
    for (int i = 0; i < size; i++)
        CHECK(out[i] == (i < size - 1 ? from_each + i : -1), "block %d is %d", i, out[i]);
}

static void exchange(void) {
    int in[MOST];
    MPI_Count to[MOST];
    MPI_Aint from[MOST];
    lay_out();
    for (int i = 0; i < size; i++) {
        in[i] = 10 + rank;
        to[i] = rank < size - 1;
        from[i] = to[i] ? i : (MPI_Aint)INT64_MIN;
    }
    CHECK_MPI(
        caucus_alltoallv_c(in, to, from, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD));
    expect(10);
}

static void gather(void) {
    int own = 20 + rank;
    lay_out();
    CHECK_MPI(caucus_allgatherv_c(&own, rank < size - 1, MPI_INT, out, counts, places, MPI_INT,
                                  MPI_COMM_WORLD));
    expect(20);
    lay_out();
    CHECK_MPI(caucus_gatherv_c(&own, rank < size - 1, MPI_INT, out, counts, places, MPI_INT, 0,
                               MPI_COMM_WORLD));
    if (rank == 0)
        expect(20);
}

static void scatter(void) {
    int in[MOST], own = -1;
    lay_out();
    for (int i = 0; i < size; i++)
        in[i] = 30 + i;
    CHECK_MPI(caucus_scatterv_c(in, counts, places, MPI_INT, &own, rank < size - 1, MPI_INT, 0,
                                MPI_COMM_WORLD));
    CHECK(own == (rank < size - 1 ? 30 + rank : -1), "%d", own);
}

/* With int places, and elements that have no bytes. */
static void exchange_far(void) {
    MPI_Datatype none, far;
    int some[MOST], where[MOST];
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_create_resized(none, 0, (MPI_Aint)1 << 40, &far);
    MPI_Type_commit(&far);
    for (int i = 0; i < size; i++) {
        some[i] = 1 << 30;
        where[i] = 1 << 30;
    }
    CHECK_MPI(caucus_alltoallv(out, some, where, far, out + 1, some, where, far, MPI_COMM_WORLD));
    MPI_Type_free(&far);
    MPI_Type_free(&none);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    exchange();
    gather();
    scatter();
    exchange_far();
    MPI_Finalize();
    return 0;
}
