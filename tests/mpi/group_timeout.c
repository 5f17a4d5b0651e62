/* SPDX-License-Identifier: BSD-3-Clause */
/* With CAUCUS_TIMEOUT, a member that does not come fails what groups do, and what others do
 * meanwhile.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=0.4 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>

static bool is_absent(void) {
    return world_rank() == world_size() - 1;
}

static void check_split(void) {
    caucus_group all, part;
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &all));
    if (!is_absent())
        expect(caucus_group_split(all, 0, 0, &part), MPI_ERR_OTHER, "after 0.4 seconds");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_free(&all));
}

/* A collective, which some rank does not call, while a split is not complete. */
static void check_meanwhile(void) {
    caucus_group all, part;
    caucus_request requests[2];
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    CHECK_MPI(caucus_barrier(comm));
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &all));
    if (!is_absent()) {
        CHECK_MPI(caucus_group_isplit(all, 0, 0, &part, &requests[0]));
        CHECK_MPI(caucus_ibarrier(comm, &requests[1]));
        expect(caucus_wait(&requests[1], MPI_STATUS_IGNORE), MPI_ERR_OTHER, "after 0.4 seconds");
        expect(caucus_barrier(comm), MPI_ERR_OTHER, "after 0.4 seconds");
        expect(caucus_wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_OTHER, "after 0.4 seconds");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_free(&all));
    CHECK_MPI(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    check_split();
    check_meanwhile();
    MPI_Finalize();
    return 0;
}
