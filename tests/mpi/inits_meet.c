/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ranks have begun moves on while one of them is in the next collective call and the
 * others wait for it first: inits, and blocking calls that measure.
 *
 * run: ranks=4,5 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SELECT=auto env=CAUCUS_SELECT_MS=2
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2
 * run: ranks=4 env=CAUCUS_NODES=2x2 */
#include "check.h"

#include <caucus/caucus.h>
#include <unistd.h>

enum { LENGTH = 5000, LEARNS_AT = 30 };

static int own[LENGTH], all[LENGTH];
static double one;

static void begin(MPI_Comm comm, caucus_request *request) {
    for (int i = 0; i < LENGTH; i++) {
        own[i] = world_rank() + i;
        all[i] = -1;
    }
    if (world_rank() > 0)
        usleep(20000);
    CHECK_MPI(caucus_iallreduce(own, all, LENGTH, MPI_INT, MPI_SUM, comm, request));
}

static void end(caucus_request *request) {
    const int size = world_size();
    CHECK_MPI(caucus_wait(request, MPI_STATUS_IGNORE));
    for (int i = 0; i < LENGTH; i++)
        CHECK(all[i] == size * (size - 1) / 2 + size * i, "%d at %d", all[i], i);
}

static void make_barrier(MPI_Comm comm) {
    caucus_request barrier;
    CHECK_MPI(caucus_barrier_init(comm, MPI_INFO_NULL, &barrier));
    CHECK_MPI(caucus_request_free(&barrier));
}

static void redistribute(MPI_Comm comm) {
    caucus_request request;
    const caucus_index_range range = {world_rank(), 1};
    double got = -1;
    one = world_rank();
    CHECK_MPI(caucus_redistribute_init(&one, 1, &range, MPI_DOUBLE, &got, 1, &range, MPI_DOUBLE,
                                       comm, MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(got == one, "%g", got);
    CHECK_MPI(caucus_request_free(&request));
}

static void call(MPI_Comm comm) {
    int rank = 1, ranks = 0;
    CHECK_MPI(caucus_allreduce(&rank, &ranks, 1, MPI_INT, MPI_SUM, comm));
    CHECK(ranks == world_size(), "%d", ranks);
}

/* Rank 0 is in the next call before it waits, the others wait before they come to it. */
static void try(void (*next)(MPI_Comm), int before) {
    MPI_Comm comm;
    caucus_request request;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(caucus_comm_attach(comm));
    for (int i = 0; i < before; i++)
        call(comm);
    begin(comm, &request);
    if (world_rank() == 0)
        next(comm);
    end(&request);
    if (world_rank() > 0)
        next(comm);
    CHECK_MPI(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    try(make_barrier, 0);
    try(redistribute, 0);
    try(call, LEARNS_AT - 1);
    MPI_Finalize();
    return 0;
}
