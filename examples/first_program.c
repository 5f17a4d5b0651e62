/* SPDX-License-Identifier: BSD-3-Clause */
/* A first program: half of the ranks make a group without the others, its members sum up again and
 * again by an allreduce that is set up once, and one of them tells all ranks what came out, which
 * none of them waits for.
 *
 *   cc first_program.c $(pkg-config --cflags --libs caucus) -o first_program
 *   mpiexec -n 4 ./first_program */
#include <caucus/caucus.h>
#include <stdio.h>

/* Called on each rank but the one that cast, while the channel is polled or closed. */
static void hear(void *context, const caucus_delivery *message) {
    printf("rank %d heard from rank %d: the sum is %g\n", *(int *)context, message->origin,
           *(const double *)message->bytes);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    caucus_channel channel;
    caucus_channel_options options = {.deliver = hear, .context = &rank};
    caucus_channel_open(MPI_COMM_WORLD, &options, &channel); /* by all: groups need it, too */

    if (rank % 2 == 0) { /* ranks 0, 2, 4 and so on, alone */
        caucus_group group;
        caucus_group_create_range(MPI_COMM_WORLD, 0, ranks - 1, 2, &group);
        double own = 0, sum = 0;
        caucus_request request;
        caucus_group_allreduce_init(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, group, MPI_INFO_NULL,
                                    &request);
        for (int step = 1; step <= 1000; step++) {
            own += rank; /* then the work of this step, and the sum of all members */
            caucus_start(&request);
            caucus_wait(&request, MPI_STATUS_IGNORE);
        }
        caucus_request_free(&request);
        caucus_group_free(&group);
        if (rank == 0)
            caucus_cast(channel, &sum, sizeof sum); /* by any rank, at any time */
    }
    caucus_channel_close(&channel); /* by all ranks: waits until all have heard all */
    MPI_Finalize();
    return 0;
}
