/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether anything is measured is the same on all ranks, also where only some have a time limit, or
 * one has no memory for what is learned: all hear of that, and the next init works. This program's
 * calloc, which the library finds before the C library's, refuses once.
 *
 * run: ranks=2,4 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SELECT=auto env=CAUCUS_SELECT_MS=2
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SELECT=auto env=CAUCUS_CHECK=1
 * run: ranks=4 env=CAUCUS_NODES=2x2 env=CAUCUS_SELECT=measure env=CAUCUS_SELECT_MS=2
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "expect_error.h"
#include "own_calloc.h"

#include <caucus/caucus.h>
#include <stdlib.h>

#include "api/collective/context.h"
#include "api/collective/learned.h"

enum { LEARNED_LEAST = 16384, LEARNED_MOST = 65536, CALLS = 40 };

static bool armed;

static bool refuses(size_t count, size_t size) {
    bool refused = armed && count == 1 && size > LEARNED_LEAST && size < LEARNED_MOST;
    armed = armed && !refused;
    return refused;
}

static int make(MPI_Comm comm, caucus_request *request) {
    static int in[100], out[100];
    return caucus_allreduce_init(in, out, 100, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
}

static void use(MPI_Comm comm, bool learns) {
    caucus_request request;
    int one = 1, sum;
    CHECK_MPI(make(comm, &request));
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
    for (int i = 0; i < CALLS; i++) {
        CHECK_MPI(caucus_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK(sum == world_size(), "%d", sum);
    }
    const struct caucus_context *context = caucus_context_kept(comm);
    int has = context->learned != NULL;
    CHECK(has == learns, "something is learned: %d", has);
}

/* The highest rank alone has a limit when it attaches. */
static void differ_in_limits(bool learns) {
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    use(comm, learns);
    CHECK_MPI(MPI_Comm_free(&comm));
}

static void lack_memory(void) {
    MPI_Comm comm;
    caucus_request request;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CHECK_MPI(caucus_comm_attach(comm));
    armed = world_rank() == 1;
    expect(make(comm, &request), MPI_ERR_NO_MEM, "rank 1");
    CHECK(!armed, "nothing was refused");
    use(comm, true);
    CHECK_MPI(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    const char *limit = getenv("CAUCUS_TIMEOUT"), *select = getenv("CAUCUS_SELECT");
    const bool asked = select && strcmp(select, "measure") == 0, later = select && !asked;
    MPI_Init(&argc, &argv);
    if (REPLACED && later && !limit)
        lack_memory();
    if (world_rank() == world_size() - 1)
        setenv("CAUCUS_TIMEOUT", "60", 1);
    differ_in_limits(asked);
    MPI_Finalize();
    return 0;
}
