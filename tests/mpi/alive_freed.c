/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of which a member has died, before they are freed and after some have freed theirs: those
 * who live keep nothing of them, and do not wait for him when their communicator goes.
 *
 * run: ranks=6 deaths mpi=openmpi output="5 are left, and nothing of the groups" */
#include "check.h"

#include "run/group/manager.h"

#include <caucus/caucus.h>
#include <signal.h>
#include <unistd.h>

enum { GROUPS = 8, FREED = 4, RANKS = 6, LOOKS = 2000 };

static caucus_group group[GROUPS];
static int dead;

static void make_groups(void) {
    const int list[RANKS] = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < GROUPS; i++)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, list, RANKS, i, &group[i]));
    CHECK_MPI(caucus_group_barrier(group[0]));
}

/* Whom another rank's barrier still waits for must not die yet. */
static void die_when_all_have_them(void) {
    if (world_rank() != dead) {
        MPI_Send(NULL, 0, MPI_BYTE, dead, 0, MPI_COMM_WORLD); /* he may be dead before it ends */
        return;
    }
    for (int i = 0; i < RANKS; i++)
        if (i != dead)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    raise(SIGKILL);
}

/* The dead one has children in the tree by which they tell each other, and a parent. */
static void free_from(int first, int end) {
    for (int i = first; i < end; i++)
        CHECK_MPI(caucus_group_free(&group[i]));
}

static void poke(void) {
    caucus_group alone;
    const int self = world_rank();
    CHECK_MPI(caucus_group_create_unchecked(MPI_COMM_WORLD, &self, 1, 99, &alone));
    CHECK_MPI(caucus_group_free(&alone));
    usleep(1000);
}

int main(int argc, char **argv) {
    caucus_group living;
    int list[RANKS] = {0, 1, 2, 3, 4, 5}, sum, one = 1;
    MPI_Init(&argc, &argv);
    dead = RANKS - 2;
    return_errors(MPI_COMM_WORLD);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    make_groups();
    die_when_all_have_them();
    free_from(0, FREED);
    CHECK_MPI(caucus_group_create_alive(MPI_COMM_WORLD, list, RANKS, 20, &living));
    free_from(FREED, GROUPS);
    CHECK_MPI(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, living));
    const struct caucus_group_manager *manager = caucus_attached(MPI_COMM_WORLD)->manager;
    for (int i = 0; i < LOOKS && manager->reclaims > 0; i++)
        poke();
    CHECK(manager->reclaims == 0, "%lld groups are kept", (long long)manager->reclaims);
    CHECK_MPI(caucus_group_barrier(living));
    if (world_rank() == 0)
        printf("%d are left, and nothing of the groups\n", sum);
    fflush(stdout);
    _exit(0);
}
