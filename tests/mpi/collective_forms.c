/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective blocking, nonblocking and persistent, with int and MPI_Count, by the algorithm
 * of Caucus's choice, twice with the same lengths so that what was kept is used again.
 * run: ranks=1,2,3,4,5
 * run: ranks=8 mpi=mpich,openmpi full
 * run: ranks=4 env=CAUCUS_NODES=2x2
 * run: ranks=5 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_CHECK=1
 * run: ranks=3 env=CAUCUS_ALGORITHM=allreduce:recursive_doubling,bcast:binomial,allgather:ring
 * run: ranks=2,3 args=early
 * run: ranks=1,3,4 env=TEST_DEVICE=cuda
 * run: ranks=4 env=TEST_DEVICE=hip env=CAUCUS_NODES=2x2
 * run: ranks=3 env=TEST_DEVICE=ze
 * run: ranks=3 args=early env=TEST_DEVICE=cuda */
#include "collective_case.h"

static void run_all(MPI_Comm comm, enum form form, int count, int round) {
    int size, last = CAUCUS_NEIGHBOR_ALLGATHER;
    MPI_Comm_size(comm, &size);
    for (int collective = 0; collective < last; collective++) {
        bool reduces = caucus_task_reduces((enum caucus_collective)collective);
        int kind = (collective + round) % KINDS;
        if (reduces ? kinds[kind].op == MPI_OP_NULL : kind == PAIRS)
            kind = DOUBLES;
        struct test_case c = {.collective = (enum caucus_collective)collective,
                              .kind = &kinds[kind],
                              .count = count,
                              .root = (collective + round) % size,
                              .in_place = (collective + round / 2) % 2,
                              .large = round % 2,
                              .form = form,
                              .comm = comm};
        run_case(&c);
    }
}

/* Nonblocking calls on a communicator that nothing is known of, then the others. */
static void run_early(void) {
    MPI_Comm comm;
    for (int round = 0; round < 3; round++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return_errors(comm);
        run_all(comm, NONBLOCKING, 33, round);
        run_all(comm, BLOCKING, 33, round);
        run_all(comm, NONBLOCKING, 33, round);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    make_kinds();
    if (argc > 1)
        run_early();
    else
        for (int round = 0; round < 4; round++)
            for (int form = 0; form < FORMS; form++) {
                run_all(MPI_COMM_WORLD, (enum form)form, 1 + round, round);
                run_all(MPI_COMM_WORLD, (enum form)form, round == 3 ? 30011 : 1000 * round, round);
            }
    free_kinds();
    MPI_Finalize();
    return 0;
}
