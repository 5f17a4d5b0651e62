/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of CAUCUS_VERBOSE say how long a plan took in milliseconds, not in powers of ten. This
 * program's PMPI_Wtime, which the library finds before MPI's own, says that each took as long.
 *
 * run: ranks=2 env=CAUCUS_NODES=2x1 env=CAUCUS_VERBOSE=1 args=0.4521
 *      output="of the worst node 1 -> 1, planned in 452 ms"
 *      output="2x1 grid of 2 ranks on 2 nodes" output="(bound 2), planned in 452 ms"
 * run: ranks=2 env=CAUCUS_NODES=2x1 env=CAUCUS_VERBOSE=1 args=0.00123
 *      output="of the worst node 1 -> 1, planned in 1.23 ms"
 *      output="(bound 2), planned in 1.23 ms"
 * start: own (what replaces PMPI_Wtime must be the program) */
#include "check.h"

#include <caucus/caucus.h>

#include <stdlib.h>

static double step, now;

double PMPI_Wtime(void) {
    return now += step;
}

int main(int argc, char **argv) {
    MPI_Comm made;
    MPI_Init(&argc, &argv);
    int other = 1 - world_rank(), dims[] = {2, 1}, periods[] = {0, 0};
    CHECK(argc > 1, "how long?");
    step = strtod(argv[1], NULL);
    CHECK_MPI(caucus_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1,
                                                &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &made));
    MPI_Comm_free(&made);
    CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &made));
    MPI_Comm_free(&made);
    MPI_Finalize();
    return 0;
}
