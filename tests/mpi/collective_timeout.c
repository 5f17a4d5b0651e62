/* SPDX-License-Identifier: BSD-3-Clause */
/* With CAUCUS_TIMEOUT, waits for one, any, some and all of several requests, and tests of one over
 * and over, end with a report where a rank does not start; what is complete is told all the same.
 * run: ranks=2,3 env=CAUCUS_TIMEOUT=0.4
 * run: ranks=4 env=CAUCUS_TIMEOUT=0.4 env=CAUCUS_NODES=2x2
 * run: ranks=3 env=CAUCUS_TIMEOUT=0.4 env=CAUCUS_SHARED_MEMORY=0 */
#include "check.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#include <stdbool.h>
#include <string.h>

enum { COUNT = 3 };

enum way { ONE, ANY, SOME, ALL, TEST };

static int in[COUNT], out[COUNT];

static void expect_report(int code, bool in_status) {
    int class;
    const char *text = caucus_error_text();
    CHECK(code != MPI_SUCCESS, "nothing failed");
    MPI_Error_class(code, &class);
    CHECK((class == MPI_ERR_IN_STATUS) == in_status, "class %d", class);
    CHECK(strstr(text, "after 0.4 seconds") && strstr(text, "rank"), "%s", text);
}

/* What was given up is not run again. */
static void expect_no_start(caucus_request *request) {
    int class, code = caucus_start(request);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_INTERN, "class %d", class);
    CHECK(strstr(caucus_error_text(), "an earlier run of it failed"), "%s", caucus_error_text());
}

static int test(caucus_request *request, MPI_Status *status) {
    double begin = MPI_Wtime();
    int flag = 0, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !flag && MPI_Wtime() < begin + 20)
        code = caucus_test(request, &flag, status);
    return code;
}

/* Rank 0 starts the last request only. */
static void leave_out(enum way way) {
    caucus_request requests[COUNT];
    MPI_Status statuses[COUNT];
    MPI_Comm comm;
    int index, indices[COUNT], completed;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    for (int i = 0; i < COUNT; i++)
        CHECK_MPI(caucus_allreduce_init(&in[i], &out[i], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                        &requests[i]));
    if (world_rank() == 0)
        CHECK_MPI(caucus_start(&requests[COUNT - 1]));
    else
        CHECK_MPI(caucus_startall(COUNT, requests));
    CHECK_MPI(caucus_wait(&requests[COUNT - 1], MPI_STATUS_IGNORE));
    if (world_rank() > 0 && way == ONE)
        expect_report(caucus_wait(&requests[0], statuses), false);
    if (world_rank() > 0 && way == ANY)
        expect_report(caucus_waitany(COUNT, requests, &index, statuses), false);
    if (world_rank() > 0 && way == SOME)
        expect_report(caucus_waitsome(COUNT, requests, &completed, indices, statuses), true);
    if (world_rank() > 0 && way == TEST)
        expect_report(test(&requests[0], statuses), false);
    if (world_rank() > 0) { /* the rest, or all; of some there may be none left */
        CHECK(caucus_waitall(COUNT, requests, statuses) != MPI_SUCCESS || way == SOME, "all well");
        expect_no_start(&requests[0]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        CHECK_MPI(caucus_request_free(&requests[i]));
    MPI_Comm_free(&comm);
}

/* Rank 0 calls MPI's own, of a communicator that is not attached, when the others have given up. */
static void come_late(bool tests) {
    caucus_request request;
    MPI_Comm comm; /* stays: what the others gave up is still in MPI's hands */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    if (world_rank() == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(caucus_iallreduce(&in[0], &out[0], 1, MPI_INT, MPI_SUM, comm, &request));
    if (world_rank() == 0) {
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    } else {
        int code =
            tests ? test(&request, MPI_STATUS_IGNORE) : caucus_wait(&request, MPI_STATUS_IGNORE);
        expect_report(code, false);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (enum way way = ONE; way <= TEST; way++)
        leave_out(way);
    come_late(false);
    come_late(true);
    MPI_Finalize();
    return 0;
}
