/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of sessions, which never calls MPI_Init, can use grids, and what errs without a
 * communicator, as there is no MPI_COMM_SELF, returns its code. Where MPI can begin again, so
 * can Caucus: Open MPI 5.0.11 crashes then, and several processes of MPICH 5.0.2 may hang.
 *
 * run: ranks=1,4
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=1 args=twice mpi=mpich,abi */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <string.h>

#ifdef MPI_SESSION_NULL
static int failed(const char *what) {
    printf("failed: %s: %s\n", what, caucus_error_text());
    return 1;
}

static bool errs(int code, int class, const char *words) {
    return code == class && strstr(caucus_error_text(), words);
}

static int err_without_comm(void) {
    caucus_request none = CAUCUS_REQUEST_NULL;
    MPI_Op sum = MPI_SUM;
    int initialized;
    MPI_Initialized(&initialized);
    if (initialized) /* which Intel MPI 2021.18 says of sessions, too */
        return 0;
    if (!errs(caucus_wait(NULL, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "request is a null pointer"))
        return failed("caucus_wait");
    if (!errs(caucus_start(&none), MPI_ERR_REQUEST, "CAUCUS_REQUEST_NULL"))
        return failed("caucus_start");
    if (!errs(caucus_op_free(&sum), MPI_ERR_OP, "MPI's own"))
        return failed("caucus_op_free");
    return 0;
}

static int run(int *size) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, cart;
    caucus_cart_report_data report;
    int periods[] = {0};
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "caucus-test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Comm_size(comm, size);
    if (caucus_cart_create(comm, 1, size, periods, 1, &cart) != MPI_SUCCESS)
        return failed("caucus_cart_create");
    if (caucus_cart_report(cart, &report) != MPI_SUCCESS)
        return failed("caucus_cart_report");
    if (report.nodes == 2 && report.placed.off_node != 2)
        return failed("the line is not in order");
    return_errors(comm);
    int bad = -1;
    if (caucus_cart_create(comm, 1, &bad, periods, 1, &cart) == MPI_SUCCESS ||
        !strstr(caucus_error_text(), "dims[0] is -1"))
        return failed("a bad argument");
    if (err_without_comm())
        return 1;
    MPI_Comm_free(&cart);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}

int main(int argc, char **argv) {
    int size, failures = run(&size);
    if (argc > 1 && strcmp(argv[1], "twice") == 0)
        failures += run(&size);
    return failures;
}
#else
int main(void) {
    return skipped("this MPI has no sessions");
}
#endif
