/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_NODES numbers the ranks of MPI_COMM_WORLD: parts of it, in any order, see the same nodes.
 * run: ranks=8 env=CAUCUS_NODES=4x2
 * run: ranks=8 env=CAUCUS_NODES=cyclic:3
 * run: ranks=7 env=CAUCUS_NODES=4,2,1 env=CAUCUS_CART_CENTRAL=0
 * run: ranks=5 */
#include "traffic.h"

static void try_part(int color, int key) {
    int size, room[8];
    MPI_Comm part, cart;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
    if (part == MPI_COMM_NULL)
        return;
    MPI_Comm_size(part, &size);
    for (int rows = 1; rows <= size; rows++) {
        int dims[] = {rows, size / rows}, periods[] = {0, 1};
        CHECK_MPI(caucus_cart_create(part, 2, dims, periods, 1, &cart));
        check_grid(part, cart, 2, dims, periods, star(2, room));
        if (cart != MPI_COMM_NULL)
            MPI_Comm_free(&cart);
    }
    MPI_Comm_free(&part);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    try_part(rank % 2, rank);
    try_part(rank < 3, -rank);
    try_part(rank ? 0 : MPI_UNDEFINED, rank * 5 % 7);
    try_part(0, -rank);
    MPI_Finalize();
    return 0;
}
