/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that waits by PMPI_Wait, which is led to the drop-in: everything is taken over.
 * run: ranks=2 preload env=CAUCUS_ENABLE=nonblocking,blocking env=CAUCUS_REPORT=around.json */
#include "report.h"

int main(int argc, char **argv) {
    int sum = 0, highest = -1, failed = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    CHECK_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == size * (size - 1) / 2, "the sum is %d", sum);
    CHECK_MPI(MPI_Allreduce(&rank, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(highest == size - 1, "the highest is %d", highest);
    MPI_Finalize();
    if (rank == 0) {
        char *report = read_report();
        failed = strstr(report, "left_to_mpi") ||
                 expect_in_report(report, "\"MPI_Iallreduce\": {\"taken\": 2, \"passed\": 0,") ||
                 expect_in_report(report, "\"MPI_Allreduce\": {\"taken\": 2, \"passed\": 0,");
        free(report);
    }
    return failed;
}
