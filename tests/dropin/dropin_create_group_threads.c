/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads call MPI_Comm_create_group at the same time with one tag: each on its own communicator,
 * which have the same ranks. None may meet another one's.
 * run: ranks=2,3 preload env=CAUCUS_REPORT=create_group_threads.json
 * run: ranks=5 preload env=CAUCUS_REPORT=create_group_threads.json mpi=mpich,openmpi
 * Twenty threads in MPI_Allreduce on two cores do not end on Intel MPI (docs/mpi-faults.md). */
#include "../mpi/founders.h"
#include "../mpi/skip.h"
#include "report.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 8, TAG = 6 };

static int rank, size;

struct work {
    int number;
    MPI_Comm parent;
};

static void *work(void *argument) {
    const struct work *own = argument;
    unsigned seed = (unsigned)own->number;
    for (int round = 0; round < ROUNDS; round++) {
        struct founders drawn = draw_founders(&seed, size, size);
        MPI_Comm made = MPI_COMM_SELF;
        MPI_Group group = group_of(own->parent, &drawn);
        CHECK_MPI(MPI_Comm_create_group(own->parent, group, TAG, &made));
        check_made(made, group, &drawn, rank);
        check_sum(made, &drawn, rank, 100 * own->number + round);
        MPI_Comm_free(&made);
        MPI_Group_free(&group);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided, failed = 0;
    pthread_t threads[THREADS];
    struct work works[THREADS] = {
        {1, MPI_COMM_WORLD}, {2, MPI_COMM_NULL}, {3, MPI_COMM_NULL}, {4, MPI_COMM_NULL}};
    struct trap trap[THREADS];
    struct founders all = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    rank = world_rank();
    size = world_size();
    for (; all.count < size; all.count++)
        all.ranks[all.count] = all.count;
    MPI_Comm_dup(MPI_COMM_WORLD, &works[1].parent);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &works[2].parent);
    MPI_Comm_dup(works[1].parent, &works[3].parent);
    for (int i = 0; i < THREADS; i++) {
        set_trap(&trap[i], works[i].parent);
        CHECK(!pthread_create(&threads[i], NULL, work, &works[i]), "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        MPI_Barrier(works[i].parent);
        spring_trap(&trap[i], works[i].parent, &all, rank);
    }
    for (int i = 1; i < THREADS; i++)
        MPI_Comm_free(&works[i].parent);
    MPI_Finalize();
    if (rank == 0 && getenv("CAUCUS_REPORT")) {
        char words[128], *report = read_report();
        snprintf(words, sizeof words, "\"MPI_Comm_create_group\": {\"taken\": %d, \"passed\": 0,",
                 THREADS * ROUNDS * size);
        failed = expect_in_report(report, words);
        free(report);
    }
    return failed;
}
