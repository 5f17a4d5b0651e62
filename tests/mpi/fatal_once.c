/* SPDX-License-Identifier: BSD-3-Clause */
/* Of the ranks that an error of all ends, the lowest one writes why, and no other. The error
 * handler is called by a function of this program, which the library finds before MPI's and which
 * ends nothing.
 *
 * run: ranks=1,2,4 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <unistd.h>

static int called;

int PMPI_Comm_call_errhandler(MPI_Comm comm, int code) {
    (void)comm, (void)code;
    called++;
    return MPI_SUCCESS;
}

/* How many characters the error makes this rank write. */
static long err(MPI_Comm comm) {
    FILE *file = tmpfile();
    CHECK(file, "there is no temporary file");
    int kept = dup(STDERR_FILENO), dims[] = {-1}, periods[] = {0};
    MPI_Comm cart;
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    int code = caucus_cart_create(comm, 1, dims, periods, 0, &cart);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    expect(code, MPI_ERR_DIMS, "dims[0] is -1");
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    fclose(file);
    return length;
}

/* On ranks below first errors are returned. */
static void check_from(int first) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, world_rank() < first ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
    called = 0;
    bool wrote = err(comm) > 0;
    CHECK(wrote == (world_rank() == first), "from rank %d: this one wrote %s", first,
          wrote ? "something" : "nothing");
    CHECK(called == 1, "the handler was called %d times", called);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int first = 0; first <= world_size(); first++)
        check_from(first);
    MPI_Finalize();
    return 0;
}
