/* SPDX-License-Identifier: BSD-3-Clause */
/* Many groups, one after the other, and alive at a time: numbers are used again, and memory does
 * not grow. Arguments: how many one after the other, and how many at a time.
 *
 * run: ranks=2,4
 * run: ranks=3 args="250000 100000" full */
#include "check.h"
#include "resident.h"

#include <caucus/caucus.h>

static void cycle(long count) {
    int self = world_rank(), all[8], range = world_size() > 1;
    caucus_group group;
    for (int i = 0; i < world_size(); i++)
        all[i] = world_size() - 1 - i;
    for (long i = 0; i < count; i++) {
        if (i % 4 == 0)
            CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &self, 1, 1, &group));
        else if (i % 4 == 1)
            CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, all, world_size(), 2, &group));
        else if (i % 4 == 2)
            CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, all, world_size(), 2, &group));
        else
            CHECK_MPI(
                caucus_group_create_range(MPI_COMM_WORLD, 0, world_size() - 1, range, &group));
        CHECK_MPI(caucus_group_free(&group));
    }
}

static void keep(int count) {
    caucus_group *groups = malloc((size_t)count * sizeof(caucus_group));
    int all[8];
    for (int i = 0; i < world_size(); i++)
        all[i] = i;
    for (int i = 0; i < count; i++)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, all, world_size(), 3, &groups[i]));
    for (int i = 0; i < count; i += count / 8) {
        int one = 1, sum = 0;
        CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, groups[i]));
        CHECK(sum == world_size(), "%d", sum);
    }
    for (int i = 0; i < count; i++)
        CHECK_MPI(caucus_group_free(&groups[i]));
    free(groups);
}

int main(int argc, char **argv) {
    long cycles = argc > 1 ? atol(argv[1]) : 20000;
    int at_a_time = argc > 2 ? atoi(argv[2]) : 500;
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    cycle(cycles / 10);
    MPI_Barrier(MPI_COMM_WORLD);
    long before = resident() / 1024;
    cycle(cycles);
    long grown = resident() / 1024 - before;
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
    CHECK(grown < 8192, "memory grew by %ld KB in %ld groups", grown, cycles);
#else
    (void)grown;
#endif
    keep(at_a_time);
    MPI_Finalize();
    return 0;
}
