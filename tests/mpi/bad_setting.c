/* SPDX-License-Identifier: BSD-3-Clause */
/* A malformed setting, on all ranks or on one, is an error on all; once it is mended, all is well.
 * run: ranks=1,3,4 mpi=mpich,openmpi,intel,abi */
#include "check.h"

#include <caucus/caucus.h>

#include <string.h>

static int create(MPI_Comm comm) {
    int dims[] = {world_size()}, periods[] = {0};
    MPI_Comm cart;
    int code = caucus_cart_create(comm, 1, dims, periods, 1, &cart);
    if (code == MPI_SUCCESS)
        MPI_Comm_free(&cart);
    return code;
}

static void expect(MPI_Comm comm, const char *name, const char *value, int rank) {
    int class, all = rank < 0;
    if (all || world_rank() == rank)
        setenv(name, value, 1);
    MPI_Error_class(create(comm), &class);
    CHECK(class == MPI_ERR_ARG, "%s=%s: class %d", name, value, class);
    CHECK(strstr(caucus_error_text(), name) &&
              strstr(caucus_error_text(), "caucus_cart_create: rank "),
          "%s=%s: %s", name, value, caucus_error_text());
    unsetenv(name);
    CHECK_MPI(create(comm));
}

/* These count when a communicator is attached. */
static void expect_unattached(const char *name, const char *value, int rank) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    expect(comm, name, value, rank);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect_unattached("CAUCUS_SIGNAL", "KILL", world_size() - 1); /* read once: comes first */
    const char *const bad_nodes[] = {"x",     "0x4",   "cyclic:0",          "99999x99999",
                                     "1x1,",  "file:", "file:/nonexistent", "file:/",
                                     "-1x-4", "1000x1"};
    for (size_t i = 0; i < sizeof bad_nodes / sizeof *bad_nodes; i++)
        expect_unattached("CAUCUS_NODES", bad_nodes[i], -1);
    expect_unattached("CAUCUS_NODES", "nonsense", 0);
    for (int rank = -1; rank < world_size(); rank++) {
        expect_unattached("CAUCUS_LEVELS", "socket", rank);
        expect_unattached("CAUCUS_LEVELS", "package,socket", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_MAPPER", "nonsense", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_THRESHOLD", "1.5", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_THRESHOLD", "-0.1", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_THRESHOLD", "nan", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_THRESHOLD", "2%", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_RANK0", "-1", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_RANK0", "sometimes", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CART_CENTRAL", "many", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_CHAOS", "yes", rank);
        expect(MPI_COMM_WORLD, "CAUCUS_VERBOSE", "loud", rank);
    }
    MPI_Finalize();
    return 0;
}
