/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of Caucus has set a locale with a decimal comma, before MPI_Init or
 * after it: its grid and its graph are placed as in any other, and the report is JSON.
 * start: own (a locale is the process's)
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_REPORT=commas-b.json args=before
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_REPORT=commas-a.json args=after */
#include "../mpi/comma.h"
#include "../mpi/skip.h"
#include "report.h"

/* A ring of ranks that were dealt out to two nodes: some move. */
static void check_moved(MPI_Comm made) {
    int rank, moved, any;
    MPI_Comm_rank(made, &rank);
    moved = rank != world_rank();
    MPI_Allreduce(&moved, &any, 1, MPI_INT, MPI_MAX, made);
    CHECK(any, "no rank has moved");
    MPI_Comm_free(&made);
}

static void place(void) {
    int rank = world_rank(), size = world_size(), dims[] = {size}, periods[] = {1};
    int degree = 2, weights[] = {1, 1}, neighbors[] = {(rank + 1) % size, (rank + size - 1) % size};
    MPI_Comm made;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &made));
    check_moved(made);
    CHECK_MPI(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, neighbors, weights,
                                    MPI_INFO_NULL, 1, &made));
    check_moved(made);
}

/* The process's exit status: how many numbers of seconds do not end as one of JSON's does. */
static int expect_points(const char *report) {
    static const char name[] = "\"seconds\": ";
    int found = 0, bad = 0;
    for (const char *at = strstr(report, name); at; at = strstr(at, name), found++) {
        at += strlen(name);
        const char *end = at + strspn(at, "0123456789.e-+");
        bad += end == at || (*end != '}' && strncmp(end, ", \"", 3) != 0);
    }
    if (found == 2 && bad == 0)
        return 0;
    fprintf(stderr, "of %d numbers of seconds %d are none:\n%s\n", found, bad, report);
    return 1;
}

int main(int argc, char **argv) {
    bool before = argc > 1 && strcmp(argv[1], "before") == 0,
         commas = before && set_decimal_comma();
    MPI_Init(&argc, &argv);
    const int rank = world_rank();
    int failed = 0;
    commas = commas || set_decimal_comma();
    place();
    CHECK(numbers_have_commas() == commas, "the locale was changed");
    MPI_Finalize();
    if (rank == 0) {
        char *report = read_report();
        failed = expect_points(report);
        free(report);
    }
    return failed || commas ? failed : skipped("no locale with a decimal comma can be had");
}
