/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of grids and of attached communicators, made and freed, leave nothing behind.
 * run: ranks=1 args=10000
 * run: ranks=2 args=1000
 * run: ranks=2 args=10000 full
 * run: ranks=4 args=200 env=CAUCUS_NODES=cyclic:2
 * run: ranks=4 args=100 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CART_CENTRAL=1
 * run: ranks=2 args=200 env=CAUCUS_CHAOS=3
 * run: ranks=4 args=10000 env=CAUCUS_NODES=cyclic:2 mpi=openmpi full */
#include "check.h"
#include "resident.h"

#include <caucus/caucus.h>

static void cycle(int i) {
    int across = world_size() > 1 ? 2 : 1, dims[] = {world_size() / across, across};
    int bad[] = {-1, 2}, periods[] = {0, i % 2};
    MPI_Comm parent = MPI_COMM_WORLD, cart;
    caucus_cart_report_data report;
    if (i % 10 == 0) /* attached anew */
        MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    CHECK_MPI(caucus_cart_create(parent, 2, dims, periods, 1, &cart));
    if (i % 10 == 1)
        CHECK_MPI(caucus_cart_report(cart, &report));
    MPI_Comm_free(&cart);
    if (i % 10 == 2)
        CHECK(caucus_cart_create(parent, 2, bad, periods, 1, &cart) != MPI_SUCCESS, "no error");
    if (parent != MPI_COMM_WORLD)
        MPI_Comm_free(&parent);
}

int main(int argc, char **argv) {
    int cycles = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    for (int i = 0; i < cycles / 4 + 200; i++) /* MPI's own pools fill up */
        cycle(i);
    long before = resident();
    for (int i = 0; i < cycles; i++)
        cycle(i);
    long grown = resident() - before, allowed = 64L * cycles + (4L << 20);
    if (world_rank() == 0)
        printf("%d cycles: %ld bytes more\n", cycles, grown);
#ifdef __SANITIZE_ADDRESS__ /* it keeps freed memory, and finds leaks itself */
    allowed += 1L << 30;
#endif
    CHECK(grown < allowed, "%ld bytes more after %d cycles", grown, cycles);
    MPI_Finalize();
    return 0;
}
