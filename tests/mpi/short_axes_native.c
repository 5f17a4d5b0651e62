/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking exchanges on a grid that is not attached, which are MPI's own, keep the directions of
 * periodic axes of one and two ranks: Open MPI 5.0.11 confuses them (tests/faults).
 *
 * run: ranks=1,2,3 */

#include "short_axes.h"

#include <caucus/caucus.h>

int main(int argc, char **argv) {
    struct exchange e;
    caucus_request request;
    MPI_Init(&argc, &argv);
    e.grid = make_grid();
    prepare(&e, true);
    CHECK_MPI(caucus_ineighbor_alltoall(e.sent, SHORT_LONGEST, MPI_INT, e.found, SHORT_LONGEST,
                                        MPI_INT, e.grid, &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    compare(&e, "alltoall");
    prepare(&e, false);
    CHECK_MPI(caucus_ineighbor_alltoallv(e.sent, e.send_counts, e.places, MPI_INT, e.found,
                                         e.counts, e.places, MPI_INT, e.grid, &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    compare(&e, "alltoallv");
    prepare(&e, false);
    CHECK_MPI(caucus_ineighbor_alltoallw(e.sent, e.send_counts, e.bytes, e.types, e.found, e.counts,
                                         e.bytes, e.types, e.grid, &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    compare(&e, "alltoallw");
    CHECK_MPI(MPI_Comm_free(&e.grid));
    MPI_Finalize();
    return 0;
}
