/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads make communicators of overlapping groups at the same time, over one parent, each with its
 * own tag, while a receive is posted there that takes anything. Only natively: MPI_Intercomm_merge
 * of MPICH 5.0.2 and Open MPI 5.0.11 hangs in several threads, and so does the latter's
 * MPI_Comm_create_from_group.
 *
 * run: ranks=1,2,3,5 */
#include "founders.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 12 };

static int rank, size;
static MPI_Comm parent;

static void *work(void *argument) {
    int number = *(int *)argument;
    unsigned seed = (unsigned)(100 * number + 1);
    for (int round = 0; round < ROUNDS; round++) {
        struct founders drawn = draw_founders(&seed, size, 1);
        MPI_Comm made = MPI_COMM_SELF;
        MPI_Group group = group_of(parent, &drawn);
        CHECK_MPI(caucus_comm_create_group(parent, group, 10 * number, &made));
        check_made(made, group, &drawn, rank);
        if (made != MPI_COMM_NULL) {
            check_sum(made, &drawn, rank, 10 * number + round);
            MPI_Comm_free(&made);
        }
        MPI_Group_free(&group);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    struct trap trap;
    struct founders all = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    rank = world_rank();
    size = world_size();
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    for (; all.count < size; all.count++)
        all.ranks[all.count] = all.count;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    CHECK_MPI(caucus_comm_attach(parent));
    set_trap(&trap, parent);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(!pthread_create(&threads[i], NULL, work, &numbers[i]), "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Barrier(parent);
    spring_trap(&trap, parent, &all, rank);
    MPI_Comm_free(&parent);
    MPI_Finalize();
    return 0;
}
