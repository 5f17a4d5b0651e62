/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm by its name, persistent, on every kind of data, in place and not, restarted with
 * new data, compared with MPI's own results. Each serves just where it has what it needs.
 * run: ranks=1,2,4
 * run: ranks=3,5,7,8 mpi=mpich,openmpi full
 * run: ranks=4 mpi=mpich env=CAUCUS_NODES=2x2 full
 * run: ranks=5 mpi=mpich env=CAUCUS_NODES=cyclic:2
 * run: ranks=6 mpi=mpich,openmpi env=CAUCUS_NODES=3,1,2 full
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0 full
 * run: ranks=3 env=CAUCUS_REQUESTS=kept
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=CAUCUS_TIMEOUT=100
 * run: ranks=4 env=TEST_DEVICE=cuda env=CAUCUS_NODES=2x2 mpi=mpich full
 * run: ranks=3 env=TEST_DEVICE=hip env=CAUCUS_REQUESTS=kept mpi=mpich,openmpi full */
#include "collective_case.h"
#include "node_labels.h"

static const int counts[] = {0, 1, 7, 513, 20011};
enum { COUNTS = sizeof counts / sizeof *counts };

static struct node_labels nodes;

static bool serve(const struct caucus_algorithm *algorithm, const struct test_case *c) {
    bool reduces = caucus_task_reduces(algorithm->collective), served = run_case(c);
    bool must = must_serve(&nodes, algorithm, !reduces || c->kind != &kinds[MATRICES]);
    CHECK(served == must, "%s by %s of %s %s", caucus_collective_name((int)c->collective),
          algorithm->name, c->kind->name, must ? "refused" : "served");
    return served;
}

/* Kinds and places in turns, so that all are met by every algorithm, but not with every count. */
static int run_algorithm(const struct caucus_algorithm *algorithm, MPI_Comm comm) {
    int served = 0, size = world_size(), kinds_met = size > 4 ? 2 : KINDS;
    bool reduces = caucus_task_reduces(algorithm->collective);
    for (int i = 0; i < COUNTS; i++)
        for (int k = 0; k < kinds_met; k++) {
            int kind = (i + k) % KINDS;
            if ((i == COUNTS - 1 && kind != INTS && kind != GAPS) || (size > 4 && i % 2 == 0))
                continue;
            if (reduces ? kinds[kind].op == MPI_OP_NULL
                        : kind == PAIRS) /* MPICH 5.0.2 errs there */
                continue;
            struct test_case c = {.collective = algorithm->collective,
                                  .kind = &kinds[kind],
                                  .count = counts[i],
                                  .root = (kind + i) % size,
                                  .in_place = (i + k + kind / 2) % 2,
                                  .large = (kind + i) % 2,
                                  .form = PERSISTENT,
                                  .algorithm = algorithm->name,
                                  .comm = comm};
            served += serve(algorithm, &c);
        }
    return served;
}

int main(int argc, char **argv) {
    const struct caucus_algorithm *algorithm;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    make_kinds();
    nodes = node_labels();
    for (int i = 0; (algorithm = caucus_algorithm_entry(i)); i++) {
        if (algorithm->collective >= CAUCUS_NEIGHBOR_ALLGATHER ||
            (argc > 1 && strcmp(argv[1], algorithm->name) != 0))
            continue;
        double begin = MPI_Wtime();
        int served = run_algorithm(algorithm, MPI_COMM_WORLD);
        if (world_rank() == 0)
            printf("%s by %s: %d cases, %.2f s\n", caucus_collective_name(algorithm->collective),
                   algorithm->name, served, MPI_Wtime() - begin);
    }
    free_kinds();
    MPI_Finalize();
    return 0;
}
