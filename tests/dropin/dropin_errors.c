/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad arguments under the drop-in: an error code and one call of the handler on every rank, as with
 * MPI, and more dimensions than Caucus counts are left to MPI.
 * run: ranks=1,4 preload env=CAUCUS_REPORT=/nonexistent/report.json
 *      output="must be a file that can be"
 * run: ranks=1,2 preload env=CAUCUS_REPORT=errors.json
 * run: ranks=4 preload env=CAUCUS_NOODLES=2x2 output="did you mean CAUCUS_NODES?"
 * run: ranks=4 preload env=CAUCUS_NODES=3x9 output="'3x9' describes 27 ranks"
 * run: ranks=4 preload args=die exit=error output="caucus: caucus_cart_create: rank 3: dims[0]" */
#include "report.h"

static int handled;

static void count_call(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    handled++;
}

/* With MPICH 5.0.2's own calls, a handler of the user's turns the code into MPI_SUCCESS
 * (tests/faults/error_handler.c). */
static void expect_left(MPI_Comm comm, int ndims, const int *dims, const int *periods) {
    int before = handled;
    MPI_Comm cart = MPI_COMM_SELF;
    MPI_Cart_create(comm, ndims, dims, periods, 0, &cart);
    CHECK(handled == before + 1, "the handler was called %d times", handled - before);
}

static void expect(MPI_Comm comm, int ndims, const int *dims, const int *periods, int class) {
    int before = handled, got;
    MPI_Comm cart = MPI_COMM_SELF;
    MPI_Error_class(MPI_Cart_create(comm, ndims, dims, periods, 1, &cart), &got);
    CHECK(got == class, "class %d, not %d", got, class);
    CHECK(handled == before + 1, "the handler was called %d times", handled - before);
}

int main(int argc, char **argv) {
    MPI_Errhandler handler, got;
    MPI_Comm comm, cart;
    MPI_Init(&argc, &argv);
    int size = world_size(), periods[12] = {0}, ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (argc > 1) {
        int dims[] = {world_rank() == 3 ? -1 : size};
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &cart);
        return 0; /* an error would have been the right end */
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(count_call, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    expect(comm, 1, (int[]){-1}, periods, MPI_ERR_DIMS);
    expect(comm, 1, (int[]){size + 1}, periods, MPI_ERR_DIMS);
    expect(comm, 1, NULL, periods, MPI_ERR_ARG);
    expect(comm, -2, ones, periods, MPI_ERR_DIMS);
    expect_left(comm, 2, NULL, periods);
    expect_left(comm, 2, ones, NULL);

    for (int ndims = 10; ndims <= 12; ndims++) {
        CHECK_MPI(MPI_Cart_create(comm, ndims, ones, periods, 1, &cart));
        CHECK((cart != MPI_COMM_NULL) == (world_rank() == 0), "%d dimensions", ndims);
        if (cart != MPI_COMM_NULL)
            MPI_Comm_free(&cart);
    }
    CHECK_MPI(MPI_Cart_create(comm, 1, &size, periods, 1, &cart));
    MPI_Comm_get_errhandler(cart, &got);
    CHECK(got == handler, "the new communicator has another handler");
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&comm);
    int rank = world_rank();
    MPI_Finalize();
    if (rank == 0)
        free(read_report());
    return 0;
}
