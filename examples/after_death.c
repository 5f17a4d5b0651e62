/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum over all ranks, step by step, that outlives the death of one of them: the last rank ends
 * itself in the midst of it; the others find each other, sum up again what is left, and go on. No
 * rank is told beforehand who dies or when.
 *
 *   mpiexec --with-ft ulfm -n 4 after_death [steps]
 *
 * This takes an MPI that reports deaths, such as Open MPI 5; with another one nobody dies. */
#include <caucus/caucus.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SECONDS = 30 };

static void fail(const char *what) {
    fprintf(stderr, "after_death: %s: %s\n", what, caucus_error_text());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The group of those who live, in place of one that may have lost a member. All who live get here:
 * when they are done, or when a sum has failed. */
static void keep_the_living(caucus_group *group) {
    caucus_group smaller;
    if (caucus_group_shrink_alive(*group, SECONDS, &smaller) != MPI_SUCCESS)
        fail("no group of the living");
    caucus_group_free(group);
    *group = smaller;
}

/* Of a sum that a death has ended some ranks may have the result, and others the error: all go back
 * to the first step that any of them lacks. */
static int first_missing(int step, caucus_group group) {
    int first = step;
    caucus_group_allreduce(&step, &first, 1, MPI_INT, MPI_MIN, group);
    return first;
}

static int is_last_and_due(int step, int steps, int rank, int size) {
    return size > 1 && rank == size - 1 && step == steps / 2;
}

int main(int argc, char **argv) {
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10, told, members = 0;
    caucus_group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    caucus_comm_attach(MPI_COMM_WORLD); /* while all are alive */
    caucus_failures_detected(&told);    /* whether this MPI reports deaths */
    if (caucus_group_from_comm(MPI_COMM_WORLD, &group) != MPI_SUCCESS)
        fail("no group of all");
    long own = 1 + rank, sum = 0;
    for (int step = 0; step < steps; step = first_missing(step, group)) {
        while (step < steps &&
               caucus_group_allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, group) == MPI_SUCCESS)
            if (is_last_and_due(++step, steps, rank, size) && told)
                raise(SIGKILL);
        keep_the_living(&group);
    }
    caucus_group_size(group, &members);
    if (rank == 0)
        printf("%d steps; %d of %d ranks are left, and their sum is %ld%s\n", steps, members, size,
               sum, told ? "" : " (this MPI does not report deaths)");
    fflush(stdout);
    int wrong = sum != (long)members * (members + 1) / 2;
    if (members < size)
        _exit(wrong); /* MPI_Finalize may wait for the dead */
    caucus_group_free(&group);
    MPI_Finalize();
    return wrong;
}
