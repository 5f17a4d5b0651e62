/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no memory for one of the things that attaching a communicator, for a grid or for
 * collectives, and making or measuring a grid or a graph take: all ranks get the same error, which
 * names that rank and no other, nothing is made, and the same call goes through once there is
 * memory. This program's calloc, which the library finds before the C library's, refuses it one
 * thing after the other.
 *
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=CAUCUS_METIS=none env=CAUCUS_SCOTCH=none
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=CAUCUS_GRAPH_CENTRAL=0 env=CAUCUS_CART_CENTRAL=1
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "own_calloc.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <limits.h>

enum { NEVER = -1 };

static int left = NEVER; /* so many are granted yet */
static int left_after;
static bool refused;
static int rank, size;
static MPI_Comm comm;

/* What the library itself asks for, but not the two numbers by which ranks meet before any of it:
 * who lacks these does not come. */
static bool refuses(size_t count, size_t bytes) {
    Dl_info info;
    bool meets = count == 2 && bytes == sizeof(int);
    if (left == NEVER || meets || !dladdr(calloc_caller, &info) ||
        !strstr(info.dli_fname, "libcaucus"))
        return false;
    refused = left-- == 0;
    return refused;
}

static int make_grid(MPI_Comm *made) {
    int dims[] = {size, 1}, periods[] = {1, 0};
    return caucus_cart_create(comm, 2, dims, periods, 1, made);
}

static int make_stencil(MPI_Comm *made) {
    int dims[] = {size - 1}, periods[] = {1}, offsets[] = {1, -1, 2};
    return caucus_stencil_create(comm, 1, dims, periods, 3, offsets, NULL, MPI_INFO_NULL, 1, made);
}

/* A ring of every second rank, which nodes of two neighbours serve badly. */
static int make_adjacent(MPI_Comm *made) {
    int around[] = {(rank + 2) % size, (rank + size - 2) % size}, weights[] = {3, 5};
    return caucus_dist_graph_create_adjacent(comm, 2, around, weights, 2, around, weights,
                                             MPI_INFO_NULL, 1, made);
}

static int make_edges(MPI_Comm *made) {
    int degree = 1, to = (rank + 2) % size;
    return caucus_dist_graph_create(comm, 1, &rank, &degree, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                                    made);
}

/* One rank takes no part. */
static int make_whole(MPI_Comm *made) {
    int index[64], edges[64];
    for (int i = 0; i < size - 1; i++) {
        index[i] = i + 1;
        edges[i] = (i + 2) % (size - 1);
    }
    return caucus_graph_create(comm, size - 1, index, edges, 1, made);
}

static int attach(MPI_Comm *made) {
    *made = MPI_COMM_NULL;
    return caucus_comm_attach(comm);
}

static int make_barrier(MPI_Comm *made) {
    caucus_request request;
    *made = MPI_COMM_NULL;
    int code = caucus_barrier_init(comm, MPI_INFO_NULL, &request);
    if (code == MPI_SUCCESS)
        CHECK_MPI(caucus_request_free(&request));
    return code;
}

static int measure_grid(MPI_Comm *made) {
    caucus_cart_report_data report;
    *made = MPI_COMM_NULL;
    return caucus_cart_report(comm, &report);
}

static int measure_graph(MPI_Comm *made) {
    caucus_cart_report_data report;
    *made = MPI_COMM_NULL;
    return caucus_graph_report(comm, &report);
}

/* The rank that is named before what is wrong is the one that lacks memory, and the only one. */
static void check_error(int code, int which) {
    char name[20];
    int number; /* of that one in the communicator that is used */
    MPI_Comm_rank(comm, &number);
    MPI_Bcast(&number, 1, MPI_INT, which, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "rank %d: ", number);
    expect(code, MPI_ERR_NO_MEM, "out of memory");
    const char *first = strstr(caucus_error_text(), "rank ");
    CHECK(first == strstr(caucus_error_text(), name), "%s", caucus_error_text());
}

/* Returns whether nothing was refused to it. */
static bool try_one(int (*make)(MPI_Comm *made), int which, int granted) {
    MPI_Comm made = MPI_COMM_NULL;
    int failed, sum;
    MPI_Barrier(MPI_COMM_WORLD);
    refused = false;
    left = rank == which ? granted : NEVER;
    int code = make(&made);
    left_after = left;
    left = NEVER;
    failed = code != MPI_SUCCESS;
    MPI_Allreduce(&failed, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 0 || sum == size, "%d of %d have an error", sum, size);
    if (failed)
        check_error(code, which);
    CHECK(!failed || made == MPI_COMM_NULL, "there is an error and a communicator");
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    int none = !refused;
    MPI_Bcast(&none, 1, MPI_INT, which, MPI_COMM_WORLD);
    return none;
}

/* How many things that rank asks for where all are granted. */
static int count_asked(int (*make)(MPI_Comm *made), int which) {
    int asked;
    try_one(make, which, INT_MAX);
    asked = INT_MAX - left_after;
    MPI_Bcast(&asked, 1, MPI_INT, which, MPI_COMM_WORLD);
    return asked;
}

/* On rank 0, and on the last two, of which one may lead a node and the other not: the last things
 * one by one, those before at longer and longer steps, for plans ask for many. */
static void try_all(int (*make)(MPI_Comm *made)) {
    int tried = 0;
    try_one(make, 0, INT_MAX); /* it attaches what is not attached yet */
    for (int which = 0; which < size; which += which == 0 ? size - 2 : 1) {
        int asked = count_asked(make, which);
        for (int at = 1; at <= asked; at += 1 + at / 6, tried++)
            CHECK(!try_one(make, which, asked - at), "only %d of %d", asked - at, asked);
    }
    CHECK(tried > 0, "nothing was refused");
}

/* With attaching, which lasts once it goes through: of a communicator that is freed, and of one
 * that nobody frees. What a process has once it has attached any is there already. */
static void try_attaching(int (*make)(MPI_Comm *made), MPI_Comm fresh) {
    int tried = 0;
    comm = fresh;
    while (!try_one(make, size - 1, tried))
        tried++;
    CHECK(tried > 3, "only %d things were refused", tried);
}

static void try_measuring(int (*make)(MPI_Comm *made), int (*measure)(MPI_Comm *made)) {
    MPI_Comm made;
    CHECK_MPI(make(&made));
    comm = made;
    try_all(measure);
    MPI_Comm_free(&made);
}

int main(int argc, char **argv) {
    MPI_Comm first, again;
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("calloc is not this program's");
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    return_errors(MPI_COMM_WORLD);
    return_errors(again);
    comm = first;
    try_one(make_grid, 0, INT_MAX);
    try_attaching(make_grid, MPI_COMM_WORLD);
    try_attaching(make_grid, again);
    try_attaching(attach, MPI_COMM_WORLD);
    try_attaching(make_barrier, again);
    try_all(make_stencil);
    try_all(make_adjacent);
    try_all(make_edges);
    try_all(make_whole);
    try_measuring(make_grid, measure_grid);
    comm = again;
    try_measuring(make_adjacent, measure_graph);
    MPI_Comm_free(&again);
    MPI_Comm_free(&first);
    MPI_Finalize();
    return 0;
}
