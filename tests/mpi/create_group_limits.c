/* SPDX-License-Identifier: BSD-3-Clause */
/* Members come to make a communicator at about the time when others give up, and not all of them
 * have a time limit: all get the communicator, or none does.
 *
 * run: ranks=2,3,5 mpi=mpich,openmpi,intel,abi
 * run: ranks=4 env=CAUCUS_CREATE_GROUP=parentless mpi=mpich,openmpi,intel,abi */
#include "founders.h"

#include <caucus/caucus.h>

#include <unistd.h>

enum { ROUNDS = 4, LIMIT = 60000, GRACE = LIMIT / 8, ABOUT = 50 /* microseconds */ };

static int rank, size;

/* With a limit on rank `limited` alone; -1: on all. */
static MPI_Comm attached(int limited) {
    MPI_Comm comm;
    char text[32] = "0";
    if (limited < 0 || limited == rank)
        snprintf(text, sizeof text, "%g", 1e-6 * LIMIT);
    setenv("CAUCUS_TIMEOUT", text, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    return comm;
}

static void check_outcome(MPI_Comm made, int code, const char *where) {
    int class, good = code == MPI_SUCCESS, all;
    MPI_Error_class(code, &class);
    CHECK(good || (class == MPI_ERR_OTHER && made == MPI_COMM_NULL), "%s: class %d: %s", where,
          class, caucus_error_text());
    CHECK_MPI(MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all == 0 || all == size, "%s: %d of %d succeed", where, all, size);
}

/* One rank in turn comes late, at about the time when one of the others gives up. */
static void try_limits(int limited) {
    struct founders founders = {.count = size};
    char where[64];
    unsigned seed = 5;
    MPI_Comm comm = attached(limited), made;
    for (int i = 0; i < size; i++)
        founders.ranks[i] = size - 1 - i;
    MPI_Group group = group_of(comm, &founders);
    for (int round = 0; round < ROUNDS; round++) {
        int who = round % size, late = LIMIT + GRACE * (int)(draw(&seed) % 3) - ABOUT;
        late += (int)(draw(&seed) % (2 * ABOUT));
        snprintf(where, sizeof where, "limit on %d, rank %d late by %d us", limited, who, late);
        made = MPI_COMM_SELF;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == who)
            usleep((useconds_t)late);
        int code = caucus_comm_create_group(comm, group, round, &made);
        check_outcome(made, code, where);
        if (made != MPI_COMM_NULL) {
            check_made(made, group, &founders, rank);
            MPI_Comm_free(&made);
        }
    }
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    return_errors(MPI_COMM_WORLD);
    for (int limited = -1; limited < size; limited++)
        try_limits(limited);
    MPI_Finalize();
    return 0;
}
