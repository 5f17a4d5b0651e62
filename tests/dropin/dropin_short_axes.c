/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking exchanges on a grid with periodic axes of one and two ranks, while a persistent
 * collective of ours is active, so that MPI may not block: they come out as they do natively.
 *
 * run: ranks=1,2,3 preload
 * run: ranks=2 preload env=CAUCUS_DISABLE=blocking
 * run: ranks=2 preload env=CAUCUS_ENABLE=blocking */
#include "persistent.h"

#include "../mpi/short_axes.h"

int main(int argc, char **argv) {
#if HAS_PERSISTENT
    enum { MANY = 5000 };
    static double in[MANY], sum[MANY];
    struct exchange e;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    e.grid = make_grid();
    CHECK_MPI(MPI_Allreduce_init(in, sum, MANY, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    CHECK_MPI(MPI_Start(&request));
    prepare(&e, true);
    CHECK_MPI(MPI_Neighbor_alltoall(e.sent, SHORT_LONGEST, MPI_INT, e.found, SHORT_LONGEST, MPI_INT,
                                    e.grid));
    compare(&e, "alltoall");
    prepare(&e, false);
    CHECK_MPI(MPI_Neighbor_alltoallv(e.sent, e.send_counts, e.places, MPI_INT, e.found, e.counts,
                                     e.places, MPI_INT, e.grid));
    compare(&e, "alltoallv");
    prepare(&e, false);
    CHECK_MPI(MPI_Neighbor_alltoallw(e.sent, e.send_counts, e.bytes, e.types, e.found, e.counts,
                                     e.bytes, e.types, e.grid));
    compare(&e, "alltoallw");
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Request_free(&request));
    CHECK_MPI(MPI_Comm_free(&e.grid));
    MPI_Finalize();
    return 0;
#else
    (void)argc, (void)argv;
    return without_persistent();
#endif
}
