/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of Caucus: a line of ranks that were dealt out to two nodes.
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_REPORT=taken.json args=taken
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_CHAOS=1 args=chaos
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_DISABLE=cart env=CAUCUS_REPORT=off.json
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_DISABLE=all env=CAUCUS_REPORT=none.json
 * run: ranks=8 preload env=CAUCUS_NODES=4x2 args=passed
 * run: ranks=8 args=passed
 * run: ranks=2,5 preload args=passed */
#define _GNU_SOURCE
#include "report.h"

#include <sys/mman.h>

static int taken, chaos;
static const char *disabled; /* the word of CAUCUS_DISABLE */

/* Whether every rank has its old rank. */
static int in_order(MPI_Comm cart, int rank) {
    int place, moved, any;
    MPI_Comm_rank(cart, &place);
    moved = place != rank;
    MPI_Allreduce(&moved, &any, 1, MPI_INT, MPI_MAX, cart);
    return !any;
}

/* A value travels round the ring through all cells in their order. */
static void check_ring(MPI_Comm cart, int size) {
    int from, to, place, value = 0;
    MPI_Comm_rank(cart, &place);
    MPI_Cart_shift(cart, 0, 1, &from, &to);
    CHECK(to == (place + 1) % size && from == (place + size - 1) % size, "%d, %d", from, to);
    if (place == 0)
        MPI_Send(&value, 1, MPI_INT, to, 0, cart);
    MPI_Recv(&value, 1, MPI_INT, from, 0, cart, MPI_STATUS_IGNORE);
    CHECK(value == (place + size - 1) % size, "%d", value);
    value++;
    if (place != 0)
        MPI_Send(&value, 1, MPI_INT, to, 0, cart);
}

/* At the end of what can be read: a drop-in of an MPI with wider handles must leave them alone. */
static void look_at_requests(void) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0, "no pages");
    MPI_Request *requests = (MPI_Request *)(void *)(pages + page) - 2;
    int flag = 0;
    requests[0] = requests[1] = MPI_REQUEST_NULL;
    MPI_Request_get_status_all(2, requests, &flag, MPI_STATUSES_IGNORE);
    CHECK(flag, "nothing is under way");
    munmap(pages, 2 * page);
#endif
}

static void run(void) {
    int size = world_size(), rank = world_rank(), periods[] = {1}, newrank, place, relation;
    MPI_Comm cart, plain, copy, backwards, other;
    look_at_requests();
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 1, &cart);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &plain);
    CHECK(in_order(plain, rank), "reorder = 0 moved ranks");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Cart_create(backwards, 1, &size, periods, 0, &other);
    MPI_Comm_free(&other);
    MPI_Comm_free(&backwards);
    MPI_Comm_dup(cart, &copy);
    MPI_Comm_compare(cart, copy, &relation);
    CHECK(relation == MPI_CONGRUENT, "relation %d", relation);
    check_ring(cart, size);
    if (chaos || taken)
        CHECK(!in_order(cart, rank), "nobody moved");
    else
        CHECK(in_order(cart, rank), "ranks moved");
    MPI_Comm_rank(cart, &place);
    MPI_Cart_map(MPI_COMM_WORLD, 1, &size, periods, &newrank);
    CHECK(newrank == place, "the map gives %d, the communicator %d", newrank, place);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&plain);
    MPI_Comm_free(&cart);
}

#define GRID "\"dims\": [8], \"ranks\": 8, "
#define PLACE "\"periodic\": [1], \"of_world\": true}"

static int look_at_what_was_taken(const char *report) {
    return expect_in_report(report, "\"MPI_Cart_create\": {\"taken\": 8, \"passed\": 16,") ||
           expect_in_report(report, "\"MPI_Cart_map\": {\"taken\": 8, \"passed\": 0,") ||
           expect_in_report(report, GRID "\"nodes\": 2,") || expect_in_report(report, PLACE ",") ||
           expect_in_report(report, "\"off_node\": {\"before\": 16, \"after\": 4}") ||
           expect_in_report(report, "\"rank0\": {\"kept\": true, \"cost\": 0}") ||
           expect_in_report(report, "\"taken_by_a_rank\": [1, 1], \"passed_by_a_rank\": [0, 0]");
}

static int look_at_what_was_left(const char *report) {
    return expect_in_report(report, "[2, 2], \"why\": {\"reorder = 0\": 16}}") ||
           expect_in_report(report, "\"left_grids\": [\n    {\"call\": \"MPI_Cart_create\", " GRID
                                    "\"why\": \"reorder = 0\", " PLACE ",\n") ||
           expect_in_report(report, "\"periodic\": [1], \"of_world\": false}\n  ]") ||
           expect_in_report(report, "\"nodes\": [[0, 1], [1, 1], [0, 1], [1, 1], [0, 1], ") ||
           expect_in_report(report, "\"passed_by_a_rank\": [2, 2], \"why\": "
                                    "{\"CAUCUS_ENABLE=blocking would take it over\": 16}") ||
           expect_in_report(report, "\"passed_by_a_rank\": [0, 1], \"why\": "
                                    "{\"CAUCUS_ENABLE=dims would take it over\": 1}");
}

static int look_at_what_is_disabled(const char *report) {
    char calls[64], grids[128];
    snprintf(calls, sizeof calls, "[3, 3], \"why\": {\"CAUCUS_DISABLE=%s\": 24}}", disabled);
    snprintf(grids, sizeof grids, GRID "\"why\": \"CAUCUS_DISABLE=%s\", " PLACE ",\n", disabled);
    return expect_in_report(report, "\"MPI_Cart_create\": {\"taken\": 0, \"passed\": 24,") ||
           expect_in_report(report, calls) || expect_in_report(report, grids) ||
           expect_in_report(report, "{\"call\": \"MPI_Cart_map\", " GRID "\"why\": ");
}

int main(int argc, char **argv) {
    int provided, finalized;
    taken = argc > 1 && strcmp(argv[1], "taken") == 0;
    disabled = getenv("CAUCUS_DISABLE");
    chaos = argc > 1 && strcmp(argv[1], "chaos") == 0;
    if (taken || chaos)
        setenv("CAUCUS_ENABLE", "map", 1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int rank = world_rank(), failed = 0, dims[] = {0, 0};
    run();
    if (rank == 0)
        MPI_Dims_create(8, 2, dims);
    MPI_Finalize();
    MPI_Finalized(&finalized);
    if (rank == 0 && taken) {
        char *report = read_report();
        failed = look_at_what_was_taken(report) || look_at_what_was_left(report);
        free(report);
    }
    if (rank == 0 && disabled) {
        char *report = read_report();
        failed = look_at_what_is_disabled(report);
        free(report);
    }
    return failed || !finalized;
}
