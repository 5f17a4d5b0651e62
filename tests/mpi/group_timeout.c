/* SPDX-License-Identifier: BSD-3-Clause */
/* With CAUCUS_TIMEOUT, a member that does not come fails what groups do, and what others do
 * meanwhile.
 *
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=0.4 */
#include "expect_error.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <unistd.h>

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

/* A wait that never ends would end by the limit of a test alone, minutes later. */
static int test_for_seconds(caucus_request *request) {
    int code = MPI_SUCCESS;
    double begin = MPI_Wtime();
    for (int over = 0; !over && code == MPI_SUCCESS; usleep(1000)) {
        code = caucus_test(request, &over, MPI_STATUS_IGNORE);
        CHECK(MPI_Wtime() - begin < 8, "nothing came after %g seconds", MPI_Wtime() - begin);
    }
    return code;
}

/* A group whose members find out at its first use that its first does not come: later uses have the
 * same failure. */
static void check_first_use(void) {
    caucus_group all, rest;
    const char *words = "did not come";
    CHECK_MPI(caucus_group_from_comm(MPI_COMM_WORLD, &all));
    if (world_rank() > 0) {
        caucus_request request;
        CHECK_MPI(caucus_group_shrink(all, NULL, 0, &rest));
        CHECK_MPI(caucus_group_ibarrier(rest, &request));
        expect(test_for_seconds(&request), MPI_ERR_OTHER, words);
        expect(caucus_group_ibarrier(rest, &request), MPI_ERR_OTHER, words);
        expect(caucus_group_barrier(rest), MPI_ERR_OTHER, words);
        CHECK_MPI(caucus_group_free(&rest));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_group_free(&all));
}

/* One that is ready, whose engine cannot be made: all calls say so, later ones too. */
static void check_engine(void) {
    caucus_group pair;
    caucus_request request;
    const char *words = "CAUCUS_TIMEOUT is 'soon'";
    char before[16];
    if (world_rank() > 1)
        return;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, (int[]){0, 1}, 2, 3, &pair));
    snprintf(before, sizeof before, "%s", getenv("CAUCUS_TIMEOUT"));
    setenv("CAUCUS_TIMEOUT", "soon", 1);
    expect(caucus_group_ibarrier(pair, &request), MPI_ERR_ARG, words);
    setenv("CAUCUS_TIMEOUT", before, 1);
    expect(caucus_group_ibarrier(pair, &request), MPI_ERR_ARG, words);
    expect(caucus_group_barrier(pair), MPI_ERR_ARG, words);
    CHECK_MPI(caucus_group_free(&pair));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    check_split();
    check_meanwhile();
    check_first_use();
    check_engine();
    MPI_Finalize();
    return 0;
}
