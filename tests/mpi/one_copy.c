/* SPDX-License-Identifier: BSD-3-Clause */
/* Long messages within a node by one copy: random numbers of elements, in all forms, by the
 * algorithms that send messages, of all kinds of data, in place and not, compared with MPI's own
 * results, while some calls of the kernel copy only a part of what they are asked to, or are
 * refused.
 * start: own (what replaces process_vm_readv must be the program)
 *
 * run: ranks=1,2,4
 * run: ranks=3 env=CAUCUS_REQUESTS=kept
 * run: ranks=2 env=CAUCUS_TIMEOUT=100
 * run: ranks=2 env=TEST_REFUSED=3 args="1 60000"
 * run: ranks=2 env=TEST_REFUSED=1 env=CAUCUS_REQUESTS=kept args="1 60000"
 * run: ranks=3 env=TEST_MEMORY=secret args="1 60000" mpi=mpich,openmpi
 * run: ranks=5,8 mpi=mpich,openmpi full
 * run: ranks=4 env=CAUCUS_NODES=2x2
 * run: ranks=2 env=TEST_DEVICE=cuda mpi=mpich full */
#include "collective_case.h"
#include "peer_calls.h"

#include <stdbool.h>

static int rounds = 3, most = 60000; /* elements of all ranks */

static unsigned seed = 1;

static int below(int limit) {
    seed = mix(seed + 0x9e3779b9u);
    return (int)(seed % (unsigned)limit);
}

static const struct {
    enum caucus_collective collective;
    const char *algorithm;
} cases[] = {
    {CAUCUS_BCAST, "binomial"},          {CAUCUS_BCAST, "scatter_allgather"},
    {CAUCUS_REDUCE, "circulant"},        {CAUCUS_ALLREDUCE, "recursive_halving"},
    {CAUCUS_ALLREDUCE, "ring"},          {CAUCUS_GATHER, "linear"},
    {CAUCUS_SCATTERV, "linear"},         {CAUCUS_ALLGATHER, "ring"},
    {CAUCUS_ALLGATHERV, "ring"},         {CAUCUS_ALLTOALL, "pairwise"},
    {CAUCUS_ALLTOALLV, "linear"},        {CAUCUS_ALLTOALLW, "linear"},
    {CAUCUS_REDUCE_SCATTER, "pairwise"}, {CAUCUS_SCAN, "chain"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void run_one(int at, enum form form, const char *algorithm, MPI_Comm comm) {
    enum caucus_collective collective = cases[at].collective;
    bool reduces = caucus_task_reduces(collective);
    int size = world_size(), kind = reduces ? below(2) : below(3) ? INTS : GAPS;
    struct test_case c = {.collective = collective,
                          .kind = &kinds[kind],
                          .count = below(3) ? below(most) / size : 16384 / kinds[kind].words / 4,
                          .root = below(size),
                          .in_place = below(2),
                          .large = below(2),
                          .form = form,
                          .algorithm = algorithm,
                          .comm = comm};
    run_case(&c);
}

static long run_all(MPI_Comm comm) {
    long before = peer_calls;
    for (int round = 0; round < rounds; round++)
        for (int at = 0; at < CASES; at++) {
            run_one(at, PERSISTENT, cases[at].algorithm, comm);
            run_one(at, BLOCKING, NULL, comm);
            run_one(at, NONBLOCKING, NULL, comm);
        }
    return peer_calls - before;
}

/* Some of whose messages are longer than what is copied at a time. */
static void run_long(MPI_Comm comm) {
    struct test_case c = {.collective = CAUCUS_BCAST,
                          .kind = &kinds[INTS],
                          .count = 5 << 19,
                          .algorithm = "binomial",
                          .form = PERSISTENT,
                          .comm = comm};
    run_case(&c);
    c.collective = CAUCUS_ALLTOALL;
    c.algorithm = "pairwise";
    c.count = 400001;
    run_case(&c);
}

static bool is_alone_on_its_node(void) {
    MPI_Comm node;
    int size;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Comm_free(&node);
    return size == 1;
}

int main(int argc, char **argv) {
    MPI_Comm with, without;
    if (getenv("TEST_MEMORY")) { /* MPIs fail in what the kernel refuses */
        setenv("MPIR_CVAR_CH4_CMA_ENABLE", "0", 1);
        setenv("OMPI_MCA_smsc", "^cma", 1);
    }
    MPI_Init(&argc, &argv);
    if (argc > 2) {
        rounds = atoi(argv[1]);
        most = atoi(argv[2]);
    }
    make_kinds();
    MPI_Comm_dup(MPI_COMM_WORLD, &with);
    MPI_Comm_dup(MPI_COMM_WORLD, &without);
    return_errors(with);
    return_errors(without);
    CHECK_MPI(caucus_comm_attach(with));
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == world_size() - 1) /* that one rank does not want it is enough */
        setenv("CAUCUS_ONE_COPY", "never", 1);
    CHECK_MPI(caucus_comm_attach(without));
    peer_calls_part = true;
    if (getenv("TEST_REFUSED"))
        peer_calls_refused = atol(getenv("TEST_REFUSED"));
    long used = run_all(with), used_without = run_all(without);
    if (argc <= 2)
        run_long(with);
    CHECK(is_alone_on_its_node() ? used == 0 : used > used_without,
          "%ld calls with one copy, %ld without", used, used_without);
    MPI_Comm_free(&with);
    MPI_Comm_free(&without);
    free_kinds();
    MPI_Finalize();
    return 0;
}
