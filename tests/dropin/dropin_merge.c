/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups are merged while a persistent collective is active that a late rank needs the others
 * for: a rank must not block in MPI's merge before all have come, those of its own group too.
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_ALGORITHM=allreduce:recursive_doubling
 */
#include "persistent.h"

#if HAS_PERSISTENT
#include <stdbool.h>
#include <unistd.h>

enum { LATE = 20000 }; /* microseconds */

int main(int argc, char **argv) {
    MPI_Comm group, between, both;
    MPI_Request request;
    int in, sum = 0;
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    in = rank + 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank > 0 ? 0 : size - 1, 7, &between);
    MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int turn = 0; turn < 3; turn++) {
        bool waits_first = rank == 1 || rank == 2;
        if (rank == 2)
            usleep(LATE); /* the last rank can go on with the collective only then */
        MPI_Start(&request);
        if (waits_first)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Intercomm_merge(between, rank > 0, &both);
        if (!waits_first)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(sum == size * (size + 1) / 2, "the sum is %d", sum);
        MPI_Comm_free(&both);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
