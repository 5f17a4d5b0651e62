/* SPDX-License-Identifier: BSD-3-Clause */
/* A malformed setting of the collectives is an error on all ranks, in words, and once it is mended
 * all is well. A file of a model that one rank can't open matters to calls that read it alone.
 * run: ranks=1,3 mpi=mpich,openmpi,intel,abi */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

enum { BLOCKING, PERSISTENT, ATTACHING, NONBLOCKING, FORMS };

static int call(MPI_Comm comm, int form) {
    caucus_request request;
    int in = 1, out = 0;
    int code = form == BLOCKING     ? caucus_barrier(comm)
               : form == PERSISTENT ? caucus_allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm,
                                                            MPI_INFO_NULL, &request)
               : form == ATTACHING  ? caucus_comm_attach(comm)
                                    : caucus_ibarrier(comm, &request);
    if (code == MPI_SUCCESS && form == PERSISTENT)
        CHECK_MPI(caucus_request_free(&request));
    if (code == MPI_SUCCESS && form == NONBLOCKING)
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    return code;
}

static void expect_in(int forms, const char *name, const char *value, const char *words) {
    for (int form = 0; form < forms; form++) {
        MPI_Comm comm;
        int class;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return_errors(comm);
        setenv(name, value, 1);
        MPI_Error_class(call(comm, form), &class);
        CHECK(class == MPI_ERR_ARG && strstr(caucus_error_text(), words),
              "%s=%s, form %d: class %d: %s", name, value, form, class, caucus_error_text());
        unsetenv(name);
        CHECK_MPI(call(comm, form));
        MPI_Comm_free(&comm);
    }
}

static void expect(const char *name, const char *value, const char *words) {
    expect_in(FORMS, name, value, words);
}

/* Rank 0's file is for all, and nonblocking calls of before are MPI's. */
static void expect_unread(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    setenv("CAUCUS_MODEL", world_rank() == 0 ? "default" : "/nonexistent", 1);
    CHECK_MPI(call(comm, NONBLOCKING));
    CHECK_MPI(call(comm, BLOCKING));
    unsetenv("CAUCUS_MODEL");
    MPI_Comm_free(&comm);
}

/* A forced algorithm that can't serve what is asked for. */
static void expect_unable(void) {
    MPI_Comm comm;
    int in = 1, out = 0, class;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    setenv("CAUCUS_ALGORITHM", "allreduce:node_direct", 1);
    setenv("CAUCUS_SHARED_MEMORY", "0", 1);
    MPI_Error_class(caucus_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm), &class);
    CHECK(class == MPI_ERR_ARG && strstr(caucus_error_text(), "can't serve"), "%s",
          caucus_error_text());
    unsetenv("CAUCUS_ALGORITHM");
    unsetenv("CAUCUS_SHARED_MEMORY");
    CHECK_MPI(caucus_barrier(comm));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    expect("CAUCUS_ALGORITHM", "allreduce:nonsense", "no such algorithm");
    expect("CAUCUS_ALGORITHM", "nonsense:ring", "no collective 'nonsense'");
    expect("CAUCUS_ALGORITHM", "ring", "CAUCUS_ALGORITHM");
    expect("CAUCUS_REQUESTS", "often", "CAUCUS_REQUESTS is 'often'");
    expect("CAUCUS_CHECK", "perhaps", "CAUCUS_CHECK is 'perhaps'");
    expect("CAUCUS_DEVICE", "gpu", "CAUCUS_DEVICE is 'gpu'");
    expect_in(NONBLOCKING, "CAUCUS_MODEL", "/nonexistent", "/nonexistent");
    expect_unread();
    expect("CAUCUS_ONE_COPY", "always", "CAUCUS_ONE_COPY is 'always'");
    expect("CAUCUS_TIMEOUT", "inf", "CAUCUS_TIMEOUT is 'inf'");
    expect("CAUCUS_TIMEOUT", "-1", "CAUCUS_TIMEOUT is '-1'");
    expect_unable();
    MPI_Finalize();
    return 0;
}
