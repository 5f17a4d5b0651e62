/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that has no part in a collective between two groups, and no memory for its request: the
 * others don't miss it, and what follows finds all ranks in step. This program's calloc, which the
 * library finds before the C library's, refuses that one.
 *
 * run: ranks=3
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "join_groups.h"
#include "refusing.h"

#include "api/collective/request.h"

enum { CALLS = 20 };

static bool refused;

static bool refuses(size_t count, size_t size) {
    return refused && count == 1 && size == sizeof(struct caucus_request_object);
}

/* From rank 0 to rank 2. */
static void cast(MPI_Comm comm, int value) {
    int rank = world_rank(), root = rank == 0 ? MPI_ROOT : rank == 1 ? MPI_PROC_NULL : 0;
    int data = rank == 0 ? value : -1;
    caucus_request request = CAUCUS_REQUEST_NULL;
    refused = rank == 1;
    int code = caucus_ibcast(&data, 1, MPI_INT, root, comm, &request);
    refused = false;
    if (rank == 1)
        expect(code, MPI_ERR_NO_MEM, "out of memory");
    else
        CHECK_MPI(code);
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(rank == 1 || data == value, "%d, not %d", data, value);
}

static void add(MPI_Comm comm, int value) {
    int sum = -1, expected = world_rank() < 2 ? value : 2 * value;
    caucus_request request;
    CHECK_MPI(caucus_iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == expected, "%d, not %d", sum, expected);
}

int main(int argc, char **argv) {
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    MPI_Comm comm = join_groups(MPI_COMM_WORLD, 2, 1);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int i = 0; i < CALLS; i++) {
        cast(comm, i);
        add(comm, i);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
