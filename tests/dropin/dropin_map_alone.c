/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Cart_map and MPI_Graph_map wait for nobody: one rank alone may call them, also while a
 * collective is active that the others need it for.
 * run: ranks=2,4 preload
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 args=multiple
 * run: ranks=3 preload env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=3 preload env=CAUCUS_DISABLE=cart,graph */
#include "persistent.h"

#if HAS_PERSISTENT
enum { MOST = 8 };

static void map_alone(int size) {
    int periodic = 1, index[MOST] = {0}, edges[] = {0}, place = -1;
    MPI_Cart_map(MPI_COMM_WORLD, 1, &size, &periodic, &place);
    CHECK(place >= 0 && place < size, "%d in a grid", place);
    place = -1;
    MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &place);
    CHECK(place >= 0 && place < size, "%d in a graph", place);
}

int main(int argc, char **argv) {
    int several = argc > 1, provided;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (several && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    int rank = world_rank(), size = world_size();
    for (int who = 0; who < size; who++) {
        int sum = -1;
        MPI_Request request;
        MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &request);
        MPI_Start(&request);
        if (rank == who)
            map_alone(size);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(sum == size * (size - 1) / 2, "%d", sum);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
