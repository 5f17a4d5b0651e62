/* SPDX-License-Identifier: BSD-3-Clause */
/* In programs of sessions, which never call MPI_Init, grids are placed; all else is left to MPI. So
 * is all that comes after MPI_Finalize, which Open MPI 5.0.11 does not bear.
 * run: ranks=1,4 preload
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_VERBOSE=1 output="4 ranks on 2 nodes"
 * run: ranks=2 preload args=collectives env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=2 preload args=after mpi=mpich env=CAUCUS_ENABLE=nonblocking,blocking */
#include "persistent.h"

#ifdef MPI_SESSION_NULL
/* There is no MPI_COMM_WORLD to abort. */
static void must(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

static void use_grid(MPI_Comm comm) {
    MPI_Comm cart;
    int size, cells, periods[] = {0};
    MPI_Comm_size(comm, &size);
    MPI_Cart_create(comm, 1, &size, periods, 1, &cart);
    MPI_Comm_size(cart, &cells);
    MPI_Comm_free(&cart);
    must(cells == size, "the cells of a grid");
}

/* Ours would have attached it, which takes memory that its ranks share. */
static int is_attached(void) {
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found = found || strstr(line, "memfd:caucus") || strstr(line, "/dev/shm/caucus");
    if (maps)
        fclose(maps);
    return found;
}

static void use_collectives(MPI_Comm comm) {
    int one = 1, size, sum = 0;
    MPI_Request request;
    MPI_Comm_size(comm, &size);
#if HAS_PERSISTENT
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    must(sum == size, "the sum of a persistent collective");
#endif
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    must(sum == size, "the sum of a nonblocking collective");
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    must(sum == size, "the sum of a blocking collective");
    must(!is_attached(), "collectives are left to MPI");
}

int main(int argc, char **argv) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    if (argc > 1 && strcmp(argv[1], "after") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Finalize();
    }
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "dropin", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    if (argc > 1)
        use_collectives(comm);
    else
        use_grid(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
#else
int main(void) {
    return skipped("this MPI has no sessions");
}
#endif
