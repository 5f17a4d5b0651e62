/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 0 has in CAUCUS_DISABLE holds for all: "others" have something else there. A session
 * before MPI_Init changes nothing (Open MPI 5.0.11 crashes after one).
 *
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 args="others all"
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 args="others cart"
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 args="0 all"
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 args="0 cart"
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 args="others all session" mpi=mpich */
#include "launched.h"
#include "persistent.h"

/* Of the two nodes that ranks were dealt out to. */
static void expect_moved(int expected) {
    int size = world_size(), periods[] = {1}, rank, moved, any;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 1, &cart);
    MPI_Comm_rank(cart, &rank);
    moved = rank != world_rank();
    MPI_Allreduce(&moved, &any, 1, MPI_INT, MPI_MAX, cart);
    CHECK(any == expected, "%d", any);
    MPI_Comm_free(&cart);
}

static void add(void) {
#if HAS_PERSISTENT
    int one = 1, sum = 0;
    MPI_Request request;
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    CHECK(sum == world_size(), "%d", sum);
#endif
}

static void use_session(void) {
#ifdef MPI_SESSION_NULL
    MPI_Session session;
    int dims[] = {0, 0};
    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CHECK_MPI(MPI_Dims_create(4, 2, dims));
    CHECK_MPI(MPI_Session_finalize(&session));
#endif
}

int main(int argc, char **argv) {
    const int is_of_0 = strcmp(argv[1], "0") == 0;
    if ((launched_rank() == 0) == is_of_0)
        setenv("CAUCUS_DISABLE", argv[2], 1);
    if (argc > 3)
        use_session();
    MPI_Init(&argc, &argv);
    expect_moved(!is_of_0);
    add();
    MPI_Finalize();
    return 0;
}
