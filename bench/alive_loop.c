/* SPDX-License-Identifier: BSD-3-Clause */
/* After a rank has died: what it takes some members to have a group again, by create_alive, which
 * nobody else takes part in, and by MPIX_Comm_shrink of all survivors and MPI_Comm_create_group of
 * the members. Started with detection of failures (mpiexec --with-ft ulfm); the last rank ends
 * itself.
 *
 * alive_loop [MEMBERS [REPETITIONS]]; by default an eighth of the ranks, and 21. */
#include <mpi.h>
#if defined __has_include
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

#include <caucus/caucus.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef MPIX_ERR_PROC_FAILED

enum { MOST = 4096, MOST_REPETITIONS = 1000 };

static void require(int code, const char *what) {
    if (code == MPI_SUCCESS)
        return;
    fprintf(stderr, "alive_loop: %s failed: %s\n", what, caucus_error_text());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int world_rank, world_size, members, list[MOST];
static caucus_group survivors;

static double begin_all(void) {
    require(caucus_group_barrier(survivors), "a barrier");
    return MPI_Wtime();
}

/* The longest of all, in microseconds. */
static double end_all(double seconds) {
    double longest;
    require(caucus_group_allreduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, survivors), "a sum");
    return longest * 1e6;
}

static double light(double *first_use) {
    caucus_group group = CAUCUS_GROUP_NULL;
    double begin = begin_all(), made = begin, used = begin;
    if (world_rank < members) {
        int one = 1, sum;
        require(caucus_group_create_alive(MPI_COMM_WORLD, list, members, 60, &group), "create");
        made = MPI_Wtime();
        require(caucus_group_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group), "allreduce");
        used = MPI_Wtime();
    }
    double took = end_all(made - begin);
    *first_use = end_all(used - begin);
    if (group != CAUCUS_GROUP_NULL)
        require(caucus_group_free(&group), "free");
    return took;
}

static double shrink(double *shrunk_in) {
    MPI_Comm shrunk, made = MPI_COMM_NULL;
    MPI_Group all, some;
    double begin = begin_all();
    require(MPIX_Comm_shrink(MPI_COMM_WORLD, &shrunk), "MPIX_Comm_shrink");
    double middle = MPI_Wtime();
    MPI_Comm_group(shrunk, &all);
    MPI_Group_incl(all, members, list,
                   &some); /* the last rank of all is dead: ranks are the same */
    if (world_rank < members)
        require(MPI_Comm_create_group(shrunk, some, 0, &made), "MPI_Comm_create_group");
    double end = MPI_Wtime();
    *shrunk_in = end_all(middle - begin);
    double took = end_all(world_rank < members ? end - begin : 0);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    MPI_Comm_free(&shrunk);
    return took;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count) {
    qsort(times, (size_t)count, sizeof *times, ascending);
    return times[count / 2];
}

static void measure(int repetitions) {
    static double created[MOST_REPETITIONS], used[MOST_REPETITIONS], shrunk[MOST_REPETITIONS],
        both[MOST_REPETITIONS];
    for (int i = -1; i < repetitions; i++) { /* the first of each warms up */
        int at = i < 0 ? 0 : i;
        created[at] = light(&used[at]);
        both[at] = shrink(&shrunk[at]);
    }
    double create = median(created, repetitions), all = median(both, repetitions);
    if (world_rank == 0)
        printf("{\"ranks\": %d, \"members\": %d, \"create_alive\": %.1f, \"with_allreduce\": %.1f, "
               "\"shrink\": %.1f, \"shrink_and_create\": %.1f, \"ratio\": %.2f}\n",
               world_size, members, create, median(used, repetitions), median(shrunk, repetitions),
               all, all / create);
}

int main(int argc, char **argv) {
    int detected;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    members = argc > 1 ? atoi(argv[1]) : (world_size + 7) / 8;
    int repetitions = argc > 2 ? atoi(argv[2]) : 21;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    require(caucus_comm_attach(MPI_COMM_WORLD), "attaching");
    caucus_failures_detected(&detected);
    if (!detected || world_size < 2 || world_size > MOST || members < 1 || members >= world_size ||
        repetitions < 1 || repetitions > MOST_REPETITIONS) {
        fprintf(stderr, "alive_loop: start 2 ranks or more with detection of failures (mpiexec "
                        "--with-ft ulfm), members among all but the last\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < world_size; i++)
        list[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == world_size - 1) {
        usleep(500000); /* the others must have left the barrier: Open MPI may crash in there */
        kill(getpid(), SIGKILL);
    }
    require(caucus_group_create_alive(MPI_COMM_WORLD, list, world_size, 60, &survivors), "create");
    measure(repetitions);
    fflush(stdout);
    caucus_group_barrier(survivors);
    _exit(0); /* Open MPI 5.0.11's MPI_Finalize may wait for ever after a death */
}

#else

int main(void) {
    fprintf(stderr, "alive_loop: this MPI has no MPIX_Comm_shrink\n");
    return 2;
}

#endif
