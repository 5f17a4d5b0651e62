/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of Caucus that reach MPI around the drop-in, by calls that it cannot have seen coming:
 * each is an error, none takes them for complete in silence.
 * run: ranks=2 preload mpi=mpich,openmpi env=CAUCUS_ENABLE=nonblocking output="around the drop-in"
 */
#define _GNU_SOURCE
#include "../mpi/check.h"

#include <dlfcn.h>

static int errors;

static void count(MPI_Comm *comm, int *code, ...) {
    int class = -1;
    (void)comm;
    MPI_Error_class(*code, &class);
    errors += class == MPI_ERR_REQUEST || class == MPI_ERR_IN_STATUS;
}

static void *around(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    CHECK(found, "there is no %s", name);
    return found;
}

static MPI_Request make(void) {
    static int given[64], sum[64];
    static int next;
    MPI_Request request;
    next = (next + 1) % 64;
    MPI_Iallreduce(&given[next], &sum[next], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    return request;
}

/* Whether the call returned an error or called the error handler. */
static void expect(const char *name, int code) {
    int class = MPI_SUCCESS;
    if (code)
        MPI_Error_class(code, &class);
    CHECK(errors > 0 || class == MPI_ERR_REQUEST || class == MPI_ERR_IN_STATUS, "%s: class %d",
          name, class);
    errors = 0;
}

static void one_at_a_time(void) {
    int (*wait)(MPI_Request *, MPI_Status *) = around("PMPI_Wait");
    int (*test)(MPI_Request *, int *, MPI_Status *) = around("PMPI_Test");
    int (*get_status)(MPI_Request, int *, MPI_Status *) = around("PMPI_Request_get_status");
    int (*drop)(MPI_Request *) = around("PMPI_Request_free");
    int (*cancel)(MPI_Request *) = around("PMPI_Cancel");
    int (*start)(MPI_Request *) = around("PMPI_Start");
    MPI_Status status;
    int flag;
    MPI_Request request = make();
    expect("PMPI_Wait", wait(&request, &status));
    request = make();
    expect("PMPI_Wait, no status", wait(&request, MPI_STATUS_IGNORE));
    request = make();
    expect("PMPI_Test", test(&request, &flag, &status));
    request = make();
    expect("PMPI_Request_free", drop(&request));
    request = make();
    expect("PMPI_Request_get_status", get_status(request, &flag, &status));
    expect("PMPI_Cancel", cancel(&request));
    expect("PMPI_Start", start(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL, "the drop-in completes it nevertheless");
}

static void several(void) {
    int (*startall)(int, MPI_Request *) = around("PMPI_Startall");
    int (*waitall)(int, MPI_Request *, MPI_Status *) = around("PMPI_Waitall");
    int (*waitany)(int, MPI_Request *, int *, MPI_Status *) = around("PMPI_Waitany");
    int (*waitsome)(int, MPI_Request *, int *, int *, MPI_Status *) = around("PMPI_Waitsome");
    int (*testall)(int, MPI_Request *, int *, MPI_Status *) = around("PMPI_Testall");
    int (*testany)(int, MPI_Request *, int *, int *, MPI_Status *) = around("PMPI_Testany");
    int (*testsome)(int, MPI_Request *, int *, int *, MPI_Status *) = around("PMPI_Testsome");
    MPI_Request requests[] = {MPI_REQUEST_NULL, make()};
    MPI_Status statuses[2];
    int flag, found, indices[2];
    expect("PMPI_Startall", startall(1, &requests[1]));
    expect("PMPI_Waitall", waitall(2, requests, statuses));
    requests[1] = make();
    expect("PMPI_Waitall, no statuses", waitall(2, requests, MPI_STATUSES_IGNORE));
    requests[1] = make();
    expect("PMPI_Waitany", waitany(2, requests, &found, statuses));
    requests[1] = make();
    expect("PMPI_Waitsome", waitsome(2, requests, &found, indices, statuses));
    requests[1] = make();
    expect("PMPI_Testall", testall(2, requests, &flag, statuses));
    requests[1] = make();
    expect("PMPI_Testany", testany(2, requests, &found, &flag, statuses));
    requests[1] = make();
    expect("PMPI_Testsome", testsome(2, requests, &found, indices, statuses));
}

int main(int argc, char **argv) {
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    one_at_a_time();
    several();
    int native = 7, sum = 0;
    MPI_Request request;
    MPI_Iallreduce(&native, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == 7 * world_size(), "%d", sum);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return 0;
}
