/* SPDX-License-Identifier: BSD-3-Clause */
/* One look at many active requests moves all of them on once, not once for each of them: MPI is
 * probed as often as for one. The program's own PMPI_Iprobe counts.
 *
 * run: ranks=2 preload
 * start: own (what replaces PMPI_Iprobe must be the program) */
#define _GNU_SOURCE
#include "persistent.h"

#if HAS_PERSISTENT
#include <dlfcn.h>

enum { MANY = 40, TAG = 3 };

static int probes, in = 1, out[MANY];

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    static int (*real)(int, int, MPI_Comm, int *, MPI_Status *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Iprobe");
    probes++;
    return real(source, tag, comm, flag, status);
}

static void test_all(MPI_Request requests[]) {
    int flag = 1;
    CHECK_MPI(MPI_Testall(MANY, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(!flag, "complete");
}

static void test_any(MPI_Request requests[]) {
    int index, flag = 1;
    CHECK_MPI(MPI_Testany(MANY, requests, &index, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "%d is complete", index);
}

static void test_some(MPI_Request requests[]) {
    int completed, indices[MANY];
    CHECK_MPI(MPI_Testsome(MANY, requests, &completed, indices, MPI_STATUSES_IGNORE));
    CHECK(completed == 0, "%d are complete", completed);
}

int main(int argc, char **argv) {
    void (*const looks[])(MPI_Request[]) = {test_all, test_any, test_some};
    MPI_Request requests[MANY];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < MANY; i++)
        CHECK_MPI(MPI_Allreduce_init(&in, &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, &requests[i]));
    if (world_rank() == 0)
        MPI_Recv(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_MPI(MPI_Startall(MANY, requests));
    for (int i = 0; i < 3 && world_rank() == 1; i++) {
        probes = 0;
        looks[i](requests);
        CHECK(probes > 0 && probes < MANY / 2, "%d probes in look %d", probes, i);
    }
    if (world_rank() == 1)
        MPI_Send(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++) {
        CHECK(out[i] == 2, "sum %d is %d", i, out[i]);
        MPI_Request_free(&requests[i]);
    }
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
