/* SPDX-License-Identifier: BSD-3-Clause */
/* After a persistent init all come together before a collective call on a window. Where one has no
 * memory for its part in that, nobody waits for it, then or at the next call. This program's
 * calloc, which the library finds before the C library's, refuses one array after the other.
 *
 * run: ranks=3 preload */
#define _GNU_SOURCE
#include "../mpi/own_calloc.h"
#include "persistent.h"

#if HAS_PERSISTENT
enum { NEVER = -1 };

static int left = NEVER; /* so many are granted yet */
static bool refused;

static bool refuses(size_t count, size_t size) {
    (void)count, (void)size;
    if (left == NEVER || calloc_is_mpis())
        return false;
    if (left-- > 0)
        return false;
    refused = true;
    return true;
}

/* Whether one was refused. */
static int fence(MPI_Win window, int granted) {
    refused = false;
    left = world_rank() == 1 ? granted : NEVER;
    CHECK_MPI(MPI_Win_fence(0, window));
    left = NEVER;
    int any = refused;
    MPI_Bcast(&any, 1, MPI_INT, 1, MPI_COMM_WORLD);
    return any;
}

int main(int argc, char **argv) {
    int in = 1, sum = 0, granted = 0;
    MPI_Request request;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("calloc is not this program's");
    }
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    while (fence(window, granted)) {
        fence(window, NEVER);
        granted++;
    }
    CHECK(granted > 0, "nothing was refused");
    MPI_Request_free(&request);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
#else
static bool refuses(size_t count, size_t size) {
    return !count && !size;
}

int main(void) {
    return without_persistent();
}
#endif
