/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of grids: the report counts them all and keeps some; parts of the ranks make grids of
 * their own, and rank 0 of MPI_COMM_WORLD none.
 * run: ranks=1 preload env=CAUCUS_REPORT=many.json args=3000
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_REPORT=many4.json args=20 */
#include "report.h"

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 10, failed = 0;
    char words[64];
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), periods[] = {0, 0}, dims[] = {1, size};
    MPI_Comm cart, part;
    for (int i = 0; i < count; i++) {
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
        MPI_Comm_free(&cart);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &part);
    if (rank > 0) {
        int line[] = {size - 1};
        MPI_Cart_create(part, 1, line, periods, 1, &cart);
        MPI_Comm_free(&cart);
    }
    MPI_Comm_free(&part);
    MPI_Finalize();
    if (rank == 0) {
        char *report = read_report();
        snprintf(words, sizeof words, "{\"taken\": %d, \"passed\": 0", count * size + size - 1);
        failed = expect_in_report(report, words);
        if (size > 1)
            failed = failed || expect_in_report(report, "\"dims\": [3], \"ranks\": 3");
        free(report);
    }
    return failed;
}
