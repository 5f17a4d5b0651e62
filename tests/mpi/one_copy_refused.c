/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the kernel does not let one rank read the memory of another, or one rank does not want it,
 * all of the communicator do without: a rank that can't be read, as it is undumpable, a filter of
 * system calls, a setting. Before and afterwards one copy is what long messages take. What is
 * forbidden later, on a communicator that has used it, is done in another way.
 * start: own (what replaces process_vm_readv must be the program; a filter stays)
 *
 * MPIs are told not to read it either: MPICH 5.0.2 ends the job where that is refused.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=60 env=MPIR_CVAR_CH4_CMA_ENABLE=0 env=OMPI_MCA_smsc=^cma
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=MPIR_CVAR_CH4_CMA_ENABLE=0 env=OMPI_MCA_smsc=^cma */
#include "check.h"
#include "forbidden.h"
#include "peer_calls.h"

#include <caucus/caucus.h>

#include <linux/capability.h>

enum { COUNT = 1 << 16 };

/* Who has this one may read everybody. It comes back only for who could take it. */
static void drop_capability(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    CHECK(syscall(SYS_capget, &header, data) == 0, "no capabilities");
    data[0].effective &= ~(1u << CAP_SYS_PTRACE);
    data[0].permitted &= ~(1u << CAP_SYS_PTRACE);
    CHECK(syscall(SYS_capset, &header, data) == 0, "capabilities can't be dropped");
}

/* How often memory of others was read or written, by this rank, in a broadcast. */
static long calls_of_bcast(MPI_Comm comm) {
    static int data[COUNT];
    caucus_request request;
    MPI_Info info;
    const int root = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "caucus_algorithm", "binomial");
    CHECK_MPI(caucus_bcast_init(data, COUNT, MPI_INT, root, comm, info, &request));
    MPI_Info_free(&info);
    long before = peer_calls;
    for (int i = 0; i < COUNT; i++)
        data[i] = world_rank() == root ? 3 * i : -1;
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < COUNT; i++)
        CHECK(data[i] == 3 * i, "element %d is %d", i, data[i]);
    CHECK_MPI(caucus_request_free(&request));
    return peer_calls - before;
}

static long calls_of_all_in(MPI_Comm comm) {
    long all, own = calls_of_bcast(comm);
    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Of all ranks of a new communicator. */
static long calls_of_all(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_MPI(caucus_comm_attach(comm));
    prctl(PR_SET_DUMPABLE, 1);
    long all = calls_of_all_in(comm);
    MPI_Comm_free(&comm);
    return all;
}

int main(int argc, char **argv) {
    MPI_Comm early;
    drop_capability();
    MPI_Init(&argc, &argv);
    int last = world_rank() == world_size() - 1;
    CHECK(calls_of_all() > 0, "one copy was not used");
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    CHECK_MPI(caucus_comm_attach(early));
    prctl(PR_SET_DUMPABLE, !last);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(calls_of_all_in(early) > 0, "one copy was not tried");
    prctl(PR_SET_DUMPABLE, 1);
    if (last)
        prctl(PR_SET_DUMPABLE, 0);
    CHECK(calls_of_all() == 0, "one copy was used, though rank %d is undumpable", world_size() - 1);
    setenv("CAUCUS_ONE_COPY", last ? "never" : "auto", 1);
    CHECK(calls_of_all() == 0, "one copy was used, though rank %d does not want it",
          world_size() - 1);
    setenv("CAUCUS_ONE_COPY", "auto", 1);
    CHECK(calls_of_all() > 0, "one copy was not used again");
    CHECK(!last || forbid_reading_of_others() == 0, "no filter of system calls");
    CHECK(calls_of_all() == 0, "one copy was used, though a filter forbids it");
    CHECK(calls_of_all_in(early) > 0, "one copy was not tried");
    MPI_Comm_free(&early);
    MPI_Finalize();
    return 0;
}
