/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is freed by all, and a group that was made of it by some ranks at once, by the
 * last rank only later: what that tells the others comes to none of the communicators that they
 * have made since, and nobody waits for it. What is kept until then goes, even where one is never
 * freed.
 *
 * run: ranks=2,3
 * run: ranks=5 args="300"
 * run: ranks=5 args="20 forgotten" */
#include "check.h"

#include <caucus/caucus.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NEW = 40, LOOKS = 20 };

static int rank, size;

static caucus_group make(MPI_Comm comm) {
    caucus_group group;
    int *list = malloc((size_t)size * sizeof *list);
    for (int i = 0; i < size; i++)
        list[i] = i;
    CHECK_MPI(caucus_group_create(comm, list, size, 1, &group));
    free(list);
    return group;
}

/* Each is likely to have a context id that was free a moment ago. */
static void look_at_new_ones(void) {
    MPI_Comm made[NEW];
    for (int i = 0; i < NEW; i++)
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, 0, &made[i]));
    for (int look = 0; look < LOOKS; look++)
        for (int i = 0, found; i < NEW; i++) {
            CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, made[i], &found, MPI_STATUS_IGNORE));
            CHECK(!found, "a communicator that is new has a message");
        }
    for (int i = 0; i < NEW; i++)
        CHECK_MPI(MPI_Comm_free(&made[i]));
}

static void free_late(bool forgets) {
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(caucus_comm_attach(comm));
    caucus_group group = make(comm);
    bool last = rank == size - 1;
    if (!last)
        CHECK_MPI(caucus_group_free(&group));
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (last && !forgets)
        CHECK_MPI(caucus_group_free(&group));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    for (int i = 0; i < times; i++)
        free_late(argc > 2);
    look_at_new_ones();
    MPI_Finalize();
    return 0;
}
