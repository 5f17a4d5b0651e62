/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves of the world meet by MPI_Comm_accept and MPI_Comm_connect, several times, and part
 * again. MPICH 5.0.2 has ports with few transports only: their names have no room for all.
 *
 * run: ranks=2,5 mpi=openmpi
 * run: ranks=2,5 env=UCX_TLS=posix,self mpi=mpich
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 mpi=openmpi */
#include "skip.h"
#include "spawned.h"

enum { TIMES = 3 };

static MPI_Comm meet(MPI_Comm half, bool accepts, char *port) {
    MPI_Comm made;
    if (accepts)
        CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &made));
    else
        CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &made));
    return made;
}

static bool open_port(char *port) {
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    return MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS;
}

static void use_and_part(MPI_Comm *comm, int times) {
    attach_and_check(*comm, times);
    if (times == 1)
        MPI_Comm_free(comm);
    else
        MPI_Comm_disconnect(comm);
}

/* The lower half accepts. All know the name of the port, empty if there is none: then it is false.
 */
static bool try_halves(void) {
    char port[MPI_MAX_PORT_NAME + 1] = "";
    bool accepts = world_rank() < world_size() / 2;
    MPI_Comm half;
    if (world_rank() == 0 && !open_port(port))
        port[0] = '\0';
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!port[0])
        return false;
    MPI_Comm_split(MPI_COMM_WORLD, accepts, world_rank(), &half);
    for (int times = 0; times < TIMES; times++) {
        MPI_Comm comm = meet(half, accepts, port);
        const char *nodes = getenv("CAUCUS_NODES");
        use_and_part(&comm, times);
        CHECK_MPI(caucus_barrier(half));
        CHECK(caucus_attached(half)->described == (nodes && *nodes), "the halves");
    }
    MPI_Comm_free(&half);
    if (world_rank() == 0)
        MPI_Close_port(port);
    return true;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    bool tested = try_halves();
    MPI_Finalize();
    return tested ? 0 : skipped("this MPI can't open a port here");
}
