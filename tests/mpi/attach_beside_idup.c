/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank alone in a communicator attaches it and uses it while an MPI_Comm_idup is pending that the
 * other ranks are late for. MPICH 5.0.2 could make no communicator of one rank then
 * (tests/faults/single_beside_idup.c), so none is made.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * run: ranks=3 mpi=mpich env=MPIR_CVAR_NUM_CLIQUES=3 */
#include "check.h"

#include <caucus/caucus.h>

#include <unistd.h>

enum { ALIVE = 80 };

static MPI_Comm alive[ALIVE];
static int heard;

static void deliver(void *context, const caucus_delivery *delivery) {
    (void)context, (void)delivery;
    heard++;
}

static void test_for(MPI_Request *request, double seconds) {
    int done = 0;
    for (double start = MPI_Wtime(); !done && MPI_Wtime() - start < seconds;)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

static void use_collectives(MPI_Comm single) {
    int in = 7, out = 0;
    caucus_request request;
    CHECK_MPI(caucus_comm_attach(single));
    CHECK_MPI(
        caucus_allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, single, MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
    CHECK(out == 7, "the sum of one rank is %d", out);
}

/* Nobody hears what a rank alone casts. */
static void use_channel(MPI_Comm single) {
    caucus_channel_options options = {.deliver = deliver};
    caucus_channel channel;
    CHECK_MPI(caucus_channel_open(single, &options, &channel));
    CHECK_MPI(caucus_cast(channel, "x", 1));
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK_MPI(caucus_channel_close(&channel));
    CHECK(heard == 0, "%d messages came", heard);
}

/* Groups of one rank on two communicators of one rank: messages to itself keep apart. */
static void use_groups(MPI_Comm first, MPI_Comm second) {
    MPI_Comm parent[2] = {first, second};
    caucus_group group[2];
    MPI_Request request[2];
    int me = 0, sent[2] = {1, 2}, got[2] = {0};
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(caucus_group_create(parent[i], &me, 1, 3, &group[i]));
        CHECK_MPI(caucus_group_isend(&sent[i], 1, MPI_INT, 0, 5, group[i], &request[i]));
    }
    for (int i = 1; i >= 0; i--) {
        CHECK_MPI(caucus_group_recv(&got[i], 1, MPI_INT, 0, 5, group[i], MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&request[i], MPI_STATUS_IGNORE));
        CHECK(got[i] == sent[i], "%d instead of %d", got[i], sent[i]);
    }
    for (int i = 0; i < 2; i++)
        CHECK_MPI(caucus_group_free(&group[i]));
}

int main(int argc, char **argv) {
    MPI_Comm single, duplicate;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    MPI_Comm_split(MPI_COMM_WORLD, world_rank(), 0, &single);
    for (int i = 0; i < ALIVE; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &alive[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    if (world_rank() == 0) {
        test_for(&request, 0.2);
        use_collectives(single);
        use_collectives(MPI_COMM_SELF);
        use_channel(single);
    } else {
        usleep(500000);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (world_rank() == 0)
        use_groups(MPI_COMM_SELF, single);
    MPI_Comm_free(&duplicate);
    for (int i = 0; i < ALIVE; i++)
        MPI_Comm_free(&alive[i]);
    MPI_Comm_free(&single);
    MPI_Finalize();
    return 0;
}
