/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's default error handler ends the job, and our words come first.
 * run: ranks=1,4 exit=error output="caucus: caucus_cart_create: rank 0: dims[0] is -1"
 * run: ranks=4 args=one exit=error output="caucus: caucus_cart_create: rank 2: dims[0] is -1"
 * run: ranks=2 args=null exit=error output="the communicator is MPI_COMM_NULL"
 * run: ranks=2 env=CAUCUS_NODES=3x3 exit=error output="'3x3' describes 9 ranks" */
#include <caucus/caucus.h>

#include <string.h>

int main(int argc, char **argv) {
    int dims[] = {-1}, periods[] = {0}, rank, first;
    MPI_Comm cart;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first = argc > 1 && strcmp(argv[1], "one") == 0 && rank != 2;
    dims[0] = first ? 1 : -1;
    caucus_cart_create(argc > 1 && strcmp(argv[1], "null") == 0 ? MPI_COMM_NULL : MPI_COMM_WORLD, 1,
                       dims, periods, 1, &cart);
    MPI_Finalize();
    return 0; /* an error would have been the right end */
}
