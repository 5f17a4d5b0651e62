/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm by its name in blocking and nonblocking calls, whose room is made when a
 * communicator is attached, before it is known what will be chosen; also where ranks that are alone
 * on their nodes are beside others that share memory.
 * run: ranks=3 env=CAUCUS_NODES=2,1
 * run: ranks=5 mpi=mpich env=CAUCUS_NODES=cyclic:2 full
 * run: ranks=6 mpi=mpich env=CAUCUS_NODES=3,1,2 full */
#include "collective_case.h"
#include "node_labels.h"

static const int counts[] = {513, 5003};
enum { COUNTS = sizeof counts / sizeof *counts };

static struct node_labels nodes;

/* The names are read when a communicator is attached. */
static MPI_Comm attach(const struct caucus_algorithm *algorithm) {
    char text[128];
    MPI_Comm comm;
    snprintf(text, sizeof text, "%s:%s", caucus_collective_name(algorithm->collective),
             algorithm->name);
    setenv("CAUCUS_ALGORITHM", text, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    return comm;
}

static void run(const struct caucus_algorithm *algorithm, MPI_Comm comm) {
    for (int i = 0; i < COUNTS; i++)
        for (int form = 0; form < 2; form++) {
            struct test_case c = {.collective = algorithm->collective,
                                  .kind = &kinds[INTS],
                                  .count = counts[i],
                                  .root = i % world_size(),
                                  .form = form ? BLOCKING : NONBLOCKING,
                                  .comm = comm};
            run_case(&c);
        }
}

int main(int argc, char **argv) {
    const struct caucus_algorithm *algorithm;
    int done = 0;
    MPI_Init(&argc, &argv);
    make_kinds();
    nodes = node_labels();
    for (int i = 0; (algorithm = caucus_algorithm_entry(i)); i++) {
        if (algorithm->collective >= CAUCUS_NEIGHBOR_ALLGATHER ||
            algorithm->needs & (CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC) ||
            !must_serve(&nodes, algorithm, true))
            continue;
        MPI_Comm comm = attach(algorithm);
        run(algorithm, comm);
        MPI_Comm_free(&comm);
        done++;
    }
    CHECK(done > 30, "%d algorithms", done);
    free_kinds();
    MPI_Finalize();
    return 0;
}
