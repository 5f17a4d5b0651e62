/* SPDX-License-Identifier: BSD-3-Clause */
/* Between a program and what it has spawned: both groups take part in collectives, with the real
 * nodes whatever CAUCUS_NODES says of one of the worlds; and once they have disconnected, the
 * children end although their parents go on and hold a request, or have left it to MPI_Finalize.
 *
 * run: ranks=1 args=1 mpi=mpich,openmpi
 * run: ranks=2 args=3 mpi=mpich,openmpi
 * run: ranks=2 args=2 env=CAUCUS_NODES=2x1 mpi=mpich,openmpi
 * run: ranks=2 args="4 finalize" mpi=mpich,openmpi
 * run: ranks=2 args="2 request" mpi=mpich,openmpi */
#include "skip.h"
#include "spawned.h"

#include <signal.h>
#include <time.h>

enum { MOST_CHILDREN = 8, PATIENCE = 20 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether a process is there that has not ended; one that nobody has waited for has. */
static bool lives(pid_t process) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    fclose(file);
    return state != 'Z';
}

/* Parents and children are of two worlds, which none of them can describe. */
static void check_nodes(MPI_Comm comm) {
    const struct caucus_attachment *attachment = caucus_attached(comm);
    MPI_Comm node;
    int local;
    CHECK(!attachment->described, "CAUCUS_NODES was taken");
    MPI_Comm_split_type(attachment->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &local);
    MPI_Comm_free(&node);
    CHECK(attachment->local_size == local, "%d ranks on the node, not %d", attachment->local_size,
          local);
    CHECK(attachment->engine->shares_memory == (local > 1), "memory is shared by %d ranks", local);
}

/* Messages and node memory, both ways. */
static void use(MPI_Comm comm, bool parent) {
    int side = parent ? 0 : 1, data[3] = {0};
    attach_and_check(comm, 1);
    check_nodes(comm);
    for (int round = 0; round < 20; round++) {
        exchange(comm, round);
        bool sends = round % 2 == side;
        int root = !sends ? 0 : sides_of(comm).rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
        data[2] = sends ? round : -1;
        CHECK_MPI(caucus_bcast(data, 3, MPI_INT, root, comm));
        CHECK(sends || data[2] == round, "%d, not %d", data[2], round);
    }
}

/* Open MPI 5.0.11 crashes if a union is left in which two ranks have never talked. */
static int leave(MPI_Comm comm) {
    CHECK_MPI(caucus_comm_attach(comm));
    MPI_Finalize();
    return 0;
}

static int child(MPI_Comm comm, const char *way) {
    if (strcmp(way, "finalize") == 0)
        return leave(comm);
    caucus_request request;
    int process = (int)getpid();
    use(comm, false);
    int *others = calloc((size_t)sides_of(comm).remote, sizeof *others);
    CHECK(others, "no memory");
    CHECK_MPI(caucus_barrier_init(comm, MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_allgather(&process, 1, MPI_INT, others, 1, MPI_INT, comm));
    free(others);
    if (strcmp(way, "request") == 0) {
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Comm_disconnect(&comm);
    CHECK_MPI(caucus_request_free(&request));
    MPI_Finalize();
    return 0;
}

static void await_end(const int *processes, int count) {
    double begin = now();
    for (int i = 0; i < count; i++)
        while (lives(processes[i])) {
            CHECK(now() - begin < PATIENCE, "process %d has not ended", processes[i]);
            usleep(10000);
        }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = parents();
    if (comm != MPI_COMM_NULL)
        return child(comm, argv[1]);
    int children = argc > 1 ? atoi(argv[1]) : 1, processes[MOST_CHILDREN], own = 0;
    char *way = argc > 2 ? argv[2] : "disconnect";
    CHECK(children <= MOST_CHILDREN, "%d children", children);
    comm = spawn(children, way);
    if (comm == MPI_COMM_NULL) {
        MPI_Finalize();
        return skipped("this MPI can't spawn here");
    }
    if (strcmp(way, "finalize") == 0)
        return leave(comm);
    caucus_request request;
    use(comm, true);
    CHECK_MPI(caucus_barrier_init(comm, MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_allgather(&own, 1, MPI_INT, processes, 1, MPI_INT, comm));
    if (strcmp(way, "request") == 0) {
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    } else {
        CHECK_MPI(caucus_request_free(&request));
    }
    MPI_Comm_disconnect(&comm);
    await_end(processes, children);
    if (strcmp(way, "request") == 0)
        CHECK_MPI(caucus_request_free(&request));
    MPI_Finalize();
    return 0;
}
