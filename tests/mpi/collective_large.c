/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and displacements above 2^31 bytes.
 * run: ranks=1 full
 * run: ranks=2 full */
#include "check.h"

#include <caucus/caucus.h>

#include <stdint.h>

static const MPI_Count many = (INT64_C(1) << 31) + 11;

static char mark(MPI_Count at) {
    return (char)(at * 31 % 127 + 1);
}

static void broadcast(char *buffer) {
    for (MPI_Count at = 0; at < many; at += 4099)
        buffer[at] = world_rank() == 0 ? mark(at) : 0;
    buffer[many - 1] = world_rank() == 0 ? 7 : 0;
    CHECK_MPI(caucus_bcast_c(buffer, many, MPI_CHAR, 0, MPI_COMM_WORLD));
    for (MPI_Count at = 0; at < many; at += 4099)
        CHECK(at == many - 1 || buffer[at] == mark(at), "byte %lld", (long long)at);
    CHECK(buffer[many - 1] == 7, "the last byte");
}

/* A few bytes of each rank to places far apart. */
static void gather(char *buffer) {
    char own[5] = {1, 2, 3, 4, (char)world_rank()};
    MPI_Count counts[64];
    MPI_Aint places[64];
    caucus_request request;
    for (int i = 0; i < world_size(); i++) {
        counts[i] = 5;
        places[i] = (MPI_Aint)(many - 5 * (i + 1));
    }
    CHECK_MPI(caucus_gatherv_init_c(own, 5, MPI_CHAR, buffer, counts, places, MPI_CHAR, 0,
                                    MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
    for (int i = 0; i < world_size() && world_rank() == 0; i++)
        CHECK(buffer[places[i]] == 1 && buffer[places[i] + 4] == i, "block %d", i);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char *buffer = malloc((size_t)many);
    CHECK(buffer != NULL, "no memory for %lld bytes", (long long)many);
    broadcast(buffer);
    gather(buffer);
    free(buffer);
    MPI_Finalize();
    return 0;
}
