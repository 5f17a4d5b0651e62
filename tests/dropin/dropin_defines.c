/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with a PMPI function of its own, of those that the drop-in has no part in, is not taken
 * for MPI: its PMPI_Wait is led to the drop-in.
 * run: ranks=2 preload env=CAUCUS_ENABLE=nonblocking env=CAUCUS_REPORT=defines.json */
#define _GNU_SOURCE
#include "report.h"

#include <dlfcn.h>

static int asked;

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found) {
    int (*next)(MPI_Comm, int, void *, int *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    asked++;
    return next(comm, key, value, found);
}

int main(int argc, char **argv) {
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int given = world_rank(), sum = -1, size = world_size(), failed = 0;
    MPI_Iallreduce(&given, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    CHECK_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == size * (size - 1) / 2, "%d", sum);
    CHECK(asked > 0, "this program's function was not found");
    MPI_Finalize();
    if (given == 0) {
        char *report = read_report();
        failed = expect_in_report(report, "\"MPI_Iallreduce\": {\"taken\": 2, \"passed\": 0,");
        free(report);
    }
    return failed;
}
