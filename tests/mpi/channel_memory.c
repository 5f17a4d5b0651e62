/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no memory for a part of a channel, whichever it is: either no rank has the
 * channel, or it works. This program's calloc, which the library finds before the C library's,
 * refuses one after the other.
 *
 * run: ranks=3
 * run: ranks=3 args=survives deaths mpi=openmpi output="of the last open"
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "refusing.h"

#include <stdint.h>
#include <string.h>

enum { NEVER = -1 };

static int left = NEVER; /* so many are granted yet */
static bool refused, survives;
static int rank, got;

/* Those of MPI are granted. */
static bool is_of_library(void) {
    Dl_info caller, library;
    return dladdr(calloc_caller, &caller) &&
           dladdr((void *)(uintptr_t)caucus_channel_open, &library) &&
           caller.dli_fbase == library.dli_fbase;
}

static bool refuses(size_t count, size_t size) {
    (void)count, (void)size;
    if (left == NEVER || !is_of_library())
        return false;
    if (left-- != 0)
        return false;
    left = NEVER;
    refused = true;
    return true;
}

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
    got++;
}

static void use(caucus_channel channel) {
    got = 0;
    CHECK_MPI(caucus_cast(channel, &rank, sizeof rank));
    CHECK_MPI(caucus_channel_flush(channel));
    CHECK_MPI(caucus_channel_close(&channel));
    CHECK(got == world_size() - 1, "%d messages", got);
}

/* Whether rank 1 was refused the memory that it asks for after so much. */
static bool open_with(int granted, int order) {
    caucus_channel channel = CAUCUS_CHANNEL_NULL;
    caucus_channel_options options = {.deliver = deliver, .order = order, .survives = survives};
    refused = false;
    left = rank == 1 ? granted : NEVER;
    int code = caucus_channel_open(MPI_COMM_WORLD, &options, &channel);
    left = NEVER;
    int mine = code != MPI_SUCCESS, sum, any = refused;
    CHECK_MPI(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == 0 || sum == world_size(), "%d ranks have an error, after %d", sum, granted);
    if (mine)
        expect(code, MPI_ERR_NO_MEM, "");
    else
        use(channel);
    CHECK_MPI(MPI_Bcast(&any, 1, MPI_INT, 1, MPI_COMM_WORLD));
    return any;
}

int main(int argc, char **argv) {
    survives = argc > 1 && !strcmp(argv[1], "survives");
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    rank = world_rank();
    for (int order = CAUCUS_ORDER_FIFO; order <= CAUCUS_ORDER_CAUSAL; order++) {
        int granted = 1; /* what all meet with belongs to no channel */
        while (open_with(granted, order))
            granted++;
        CHECK(granted > 1, "nothing was refused");
        if (rank == 0)
            printf("%d parts of the last open\n", granted);
    }
    MPI_Finalize();
    return 0;
}
