/* SPDX-License-Identifier: BSD-3-Clause */
/* Children under the drop-in, or without it: their parents leave what they do together to MPI,
 * between the groups and as one of both, unless they are told that all run under it. Each side
 * has a report of its own.
 *
 * run: ranks=2 preload env=CAUCUS_REPORT=own.json env=CAUCUS_ENABLE=blocking args=left mpi=mpich
 * run: ranks=2 preload env=CAUCUS_REPORT=own.json env=CAUCUS_ENABLE=blocking args=left mpi=openmpi
 * run: ranks=2 preload env=CAUCUS_REPORT=bare.json args=bare mpi=mpich,openmpi
 * run: ranks=2 preload env=CAUCUS_REPORT=no.json env=CAUCUS_ENABLE=nonblocking args=bare mpi=mpich
 * run: ranks=2 preload env=CAUCUS_REPORT=no.json env=CAUCUS_ENABLE=blocking args=bare mpi=openmpi
 * run: ranks=2 preload env=CAUCUS_REPORT=all env=CAUCUS_ENABLE=dynamic,map args=taken mpi=mpich
 * run: ranks=2 preload env=CAUCUS_REPORT=all env=CAUCUS_ENABLE=dynamic,map args=taken mpi=openmpi
 */
#include "persistent.h"

#include <limits.h>
#include <stdbool.h>

enum { PARENTS = 2, CHILDREN = 3, TURNS = 3 };

static void use(MPI_Comm inter, int base) {
    int value, blocks[8], others, rank;
    MPI_Request request;
    MPI_Comm_remote_size(inter, &others);
    MPI_Comm_rank(inter, &rank);
    for (int turn = 0; turn < TURNS; turn++) {
        value = base + 10 * turn + rank;
        MPI_Iallgather(&value, 1, MPI_INT, blocks, 1, MPI_INT, inter, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < others; i++)
            CHECK(blocks[i] == 100 - base + 10 * turn + i, "%d", blocks[i]);
        MPI_Allgather(&value, 1, MPI_INT, blocks, 1, MPI_INT, inter);
        for (int i = 0; i < others; i++)
            CHECK(blocks[i] == 100 - base + 10 * turn + i, "%d", blocks[i]);
    }
    MPI_Barrier(inter);
}

static void check_sum(MPI_Comm comm, const char *what) {
    int rank, size, sum = -1;
    MPI_Request request;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size * (size - 1) / 2, "%d of %s", sum, what);
    sum = -1;
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == size * (size - 1) / 2, "%d of %s, nonblocking", sum, what);
}

static void check_restarts(MPI_Comm comm) {
#if HAS_PERSISTENT
    int value, sum, size;
    MPI_Request request;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (value = 1; value <= TURNS; value++) {
        sum = -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(sum == value * size, "%d of both, started again", sum);
    }
    MPI_Request_free(&request);
#else
    (void)comm;
#endif
}

static void use_both(MPI_Comm inter, bool last) {
    MPI_Comm both, made;
    int rank, size, place, periodic = 1, weight = 1;
    MPI_Intercomm_merge(inter, last, &both);
    MPI_Comm_rank(both, &rank);
    MPI_Comm_size(both, &size);
    check_sum(both, "both");
    check_restarts(both);
    MPI_Cart_map(both, 1, &size, &periodic, &place);
    CHECK(place >= 0 && place < size, "place %d", place);
    MPI_Cart_create(both, 1, &size, &periodic, 1, &made);
    check_sum(made, "a grid of both");
    MPI_Comm_free(&made);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Dist_graph_create_adjacent(both, 1, &previous, &weight, 1, &next, &weight, MPI_INFO_NULL, 1,
                                   &made);
    check_sum(made, "a graph of both");
    MPI_Comm_free(&made);
    MPI_Comm_free(&both);
}

/* With the variables of this process that matter, or without the drop-in: launchers differ in what
 * they hand on. */
static void spawn(char *way, MPI_Comm *children) {
    bool bare = strcmp(way, "bare") == 0;
    static const char *const handed_on[] = {"LD_PRELOAD", "CAUCUS_ENABLE", "CAUCUS_REPORT"};
    enum { HANDED_ON = sizeof handed_on / sizeof *handed_on };
    char path[PATH_MAX] = "", words[HANDED_ON][PATH_MAX], *command[HANDED_ON + 4];
    char child[] = "child";
    int count = 0;
    CHECK(readlink("/proc/self/exe", path, sizeof path - 1) > 0, "the program has no path");
    for (; count < HANDED_ON; count++) {
        const char *value = getenv(handed_on[count]);
        snprintf(words[count], PATH_MAX, "%s=%s", handed_on[count], value && !bare ? value : "");
        command[count] = words[count];
    }
    command[count++] = path;
    command[count++] = child;
    command[count++] = way;
    command[count] = NULL;
    MPI_Comm_spawn("env", command, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children,
                   MPI_ERRCODES_IGNORE);
}

/* The calls of all ranks of this side. That of MPI_Allreduce is not to be taken over by default. */
static int check_report(int ranks, bool taken) {
    static const char *const calls[] = {"Allgather", "Cart_create", "Cart_map",
                                        "Dist_graph_create_adjacent", "Allreduce"};
    static const int counts[] = {TURNS, 1, 1, 1, 3};
    char *report = read_report();
    int failed = 0;
    for (int i = 0; i < (taken ? 4 : 5); i++) {
        char words[128];
        int count = ranks * counts[i];
        snprintf(words, sizeof words, "\"MPI_%s\": {\"taken\": %d, \"passed\": %d,", calls[i],
                 taken ? count : 0, taken ? 0 : count);
        failed |= expect_in_report(report, words);
    }
    if (!taken)
        failed |= expect_in_report(report, "CAUCUS_ENABLE=dynamic would take it over");
    free(report);
    return failed;
}

/* Its report is beside that of its parents. */
static int check_report_of_child(const char *way) {
    char path[PATH_MAX];
    if (strcmp(way, "bare") == 0)
        return 0;
    snprintf(path, sizeof path, "%s.%ld", getenv("CAUCUS_REPORT"), (long)getpid());
    setenv("CAUCUS_REPORT", path, 1);
    return check_report(CHILDREN, strcmp(way, "taken") == 0);
}

static int run_child(int argc, char **argv) {
    MPI_Comm parents;
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    MPI_Comm_get_parent(&parents);
    use(parents, 0);
    use_both(parents, true);
    MPI_Comm_disconnect(&parents);
    MPI_Finalize();
    return rank == 0 ? check_report_of_child(argv[2]) : 0;
}

static int run_parent(int argc, char **argv) {
    MPI_Comm children;
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    spawn(argv[1], &children);
    use(children, 100);
    use_both(children, false);
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return rank == 0 ? check_report(PARENTS, strcmp(argv[1], "taken") == 0) : 0;
}

int main(int argc, char **argv) {
    bool is_child = argc > 2 && strcmp(argv[1], "child") == 0;
    return is_child ? run_child(argc, argv) : run_parent(argc, argv);
}
