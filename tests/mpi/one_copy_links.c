/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ends of an exchange read at the same time, though each begins with its receive. Links of
 * pairs are as many as there is room for: further requests send by MPI's messages, with the same
 * results, until links come back of requests that were freed. More than 32 ranks of a node have
 * them, too.
 * start: own (what replaces process_vm_readv must be the program)
 *
 * run: ranks=2 env=CAUCUS_NODES=1x2
 * run: ranks=2 env=CAUCUS_NODES=1x2 env=CAUCUS_REQUESTS=kept env=CAUCUS_TIMEOUT=60
 * run: ranks=33 env=CAUCUS_NODES=1x33 mpi=mpich */
#include "check.h"
#include "peer_calls.h"

#include <caucus/caucus.h>

#include <stdbool.h>

enum { COUNT = 5000, MOST = 1 << 12, MOST_RANKS = 64 };

static int in[MOST_RANKS * COUNT], out[MOST_RANKS * COUNT];
static caucus_request requests[MOST];

static void make(caucus_request *request) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "caucus_algorithm", "pairwise");
    CHECK_MPI(caucus_alltoall_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, MPI_COMM_WORLD, info,
                                   request));
    MPI_Info_free(&info);
}

/* Whether it went by one copy; on all ranks alike. */
static bool run(caucus_request *request, int salt) {
    const int rank = world_rank(), size = world_size();
    const long before = peer_calls;
    for (int i = 0; i < size * COUNT; i++) {
        in[i] = salt + 10 * i + rank;
        out[i] = -1;
    }
    CHECK_MPI(caucus_start(request));
    CHECK_MPI(caucus_wait(request, MPI_STATUS_IGNORE));
    for (int i = 0; i < size * COUNT; i++)
        CHECK(out[i] == salt + 10 * (rank * COUNT + i % COUNT) + i / COUNT, "element %d is %d", i,
              out[i]);
    int calls = peer_calls > before, all;
    MPI_Allreduce(&calls, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 0 || all == size, "%d of the ranks read", all);
    return all > 0;
}

/* Reads that take a quarter of a second each: one of them after the other would take two. */
static void exchange(void) {
    caucus_request request;
    make(&request);
    run(&request, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    peer_calls_nap = 250000;
    peer_calls_begun = 0;
    run(&request, 1);
    peer_calls_nap = 0;
    double mine[2] = {peer_calls_begun, -peer_calls_ended}, latest[2];
    MPI_Allreduce(mine, latest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    CHECK(latest[0] < -latest[1], "the last one begins %g s after the first has ended",
          latest[0] + latest[1]);
    CHECK_MPI(caucus_request_free(&request));
}

/* How many requests got links before there was none left. */
static int use_up(void) {
    int made = 0, used = 0;
    while (made < MOST && used == made) {
        make(&requests[made]);
        used += run(&requests[made], made);
        made++;
    }
    CHECK(used < made, "all of %d went by one copy", made);
    CHECK(!run(&requests[used], 7), "it has found a link");
    CHECK(run(&requests[0], 8), "it has lost its link");
    for (int i = 0; i < made; i++)
        CHECK_MPI(caucus_request_free(&requests[i]));
    return used;
}

static void run_out(void) {
    exchange();
    int first = use_up();
    MPI_Barrier(MPI_COMM_WORLD); /* both have let go */
    int second = use_up();
    CHECK(first > 100 && second == first, "%d of requests, then %d", first, second);
}

int main(int argc, char **argv) {
    caucus_request request;
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    make(&request);
    CHECK(run(&request, 1), "it did not go by one copy");
    CHECK_MPI(caucus_request_free(&request));
    if (world_size() == 2)
        run_out();
    MPI_Finalize();
    return 0;
}
