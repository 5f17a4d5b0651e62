/* SPDX-License-Identifier: BSD-3-Clause */
/* Children under the drop-in, or without it: their parents leave what they do together to MPI,
 * unless they are told that all run under it.
 *
 * run: ranks=2 preload env=CAUCUS_REPORT=own.json args=left mpi=mpich,openmpi
 * run: ranks=2 preload env=CAUCUS_REPORT=bare.json args=bare mpi=mpich,openmpi
 * run: ranks=2 preload env=CAUCUS_REPORT=all.json env=CAUCUS_ENABLE=dynamic args=taken mpi=mpich
 * run: ranks=2 preload env=CAUCUS_REPORT=all.json env=CAUCUS_ENABLE=dynamic args=taken mpi=openmpi
 */
#include "report.h"

#include <limits.h>
#include <stdbool.h>

enum { CHILDREN = 2, TURNS = 3 };

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

/* With the variables of this process that matter, or without the drop-in: launchers differ in what
 * they hand on. */
static void spawn(bool bare, MPI_Comm *children) {
    static const char *const handed_on[] = {"LD_PRELOAD", "CAUCUS_ENABLE"};
    char path[PATH_MAX] = "", words[2][PATH_MAX], child[] = "child", *command[5];
    int count = 0;
    CHECK(readlink("/proc/self/exe", path, sizeof path - 1) > 0, "the program has no path");
    for (; count < 2; count++) {
        const char *value = getenv(handed_on[count]);
        snprintf(words[count], PATH_MAX, "%s=%s", handed_on[count], value && !bare ? value : "");
        command[count] = words[count];
    }
    command[count++] = path;
    command[count++] = child;
    command[count] = NULL;
    MPI_Comm_spawn("env", command, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children,
                   MPI_ERRCODES_IGNORE);
}

static int run_child(int argc, char **argv) {
    MPI_Comm parents;
    unsetenv("CAUCUS_REPORT"); /* its parents write one */
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    use(parents, 0);
    MPI_Comm_disconnect(&parents);
    MPI_Finalize();
    return 0;
}

static int run_parent(int argc, char **argv) {
    MPI_Comm children;
    int failed = 0, taken = argc > 1 && strcmp(argv[1], "taken") == 0;
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    spawn(argc > 1 && strcmp(argv[1], "bare") == 0, &children);
    use(children, 100);
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    if (rank == 0) {
        char *report = read_report();
        failed =
            expect_in_report(report, taken ? "\"MPI_Allgather\": {\"taken\": 6, \"passed\": 0,"
                                           : "\"MPI_Allgather\": {\"taken\": 0, \"passed\": 6,") ||
            (!taken && expect_in_report(report, "CAUCUS_ENABLE=dynamic would take it over\": 6}"));
        free(report);
    }
    return failed;
}

int main(int argc, char **argv) {
    bool is_child = argc > 1 && strcmp(argv[1], "child") == 0;
    return is_child ? run_child(argc, argv) : run_parent(argc, argv);
}
