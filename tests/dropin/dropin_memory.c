/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank has no memory for what a call of a program that knows nothing of Caucus needs: a
 * persistent init fails on all ranks, or on none, and what comes afterwards works; a look at
 * requests is an error, and none of them is taken for complete. This program's calloc, which the
 * library finds before the C library's, refuses one array after the other.
 *
 * run: ranks=3 preload
 * run: ranks=3 preload args=untracked
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "../mpi/own_calloc.h"
#include "persistent.h"

#if HAS_PERSISTENT
enum { NEVER = -1, MOST = 64 };

static int left = NEVER; /* so many are granted yet */
static size_t bytes;     /* of those that are refused; 0: of all */
static bool refused;
static int all_failed; /* ranks whose init did, the last time */

/* What counts the ranks that have come is had by all, or they would wait (roll_call.c). */
static bool is_roll_call(size_t count, size_t size) {
    return count == 2 && size == sizeof(int);
}

static bool refuses(size_t count, size_t size) {
    if (left == NEVER || (bytes > 0 && count * size != bytes) || is_roll_call(count, size) ||
        calloc_is_mpis())
        return false;
    if (left-- > 0)
        return false;
    left = NEVER;
    refused = true;
    return true;
}

static int init(MPI_Comm comm, int *value, int count, MPI_Request *request) {
    return MPI_Bcast_init(value, count, MPI_INT, 0, comm, MPI_INFO_NULL, request);
}

static void run(MPI_Request request, int *value, int count) {
    for (int i = 0; i < count; i++)
        value[i] = world_rank() ? -1 : i;
    CHECK_MPI(MPI_Start(&request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Request_free(&request));
    for (int i = 0; i < count; i++)
        CHECK(value[i] == i, "%d at %d", value[i], i);
}

static void use(MPI_Comm comm, int count) {
    int value[MOST];
    MPI_Request request;
    CHECK_MPI(init(comm, value, count, &request));
    run(request, value, count);
}

/* Whether any was refused to rank 1; the init is then that of all, or of none. */
static int check(MPI_Comm comm, int granted) {
    MPI_Request request = MPI_REQUEST_NULL;
    int value[MOST], count = granted % MOST + 1, failed;
    refused = false;
    left = world_rank() == 1 ? granted : NEVER;
    int code = init(comm, value, count, &request), any = refused;
    left = NEVER;
    failed = code != MPI_SUCCESS;
    CHECK(failed == (request == MPI_REQUEST_NULL), "code %d", code);
    MPI_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&any, 1, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK(all_failed == 0 || all_failed == world_size(), "%d ranks failed", all_failed);
    CHECK(any || !failed, "code %d, and nothing was refused", code);
    if (!failed)
        run(request, value, count);
    MPI_Barrier(comm);
    use(comm, count);
    MPI_Barrier(comm);
    return any;
}

/* Requests that live on take what freed ones have left: the next needs memory. */
static void check_inits(void) {
    MPI_Comm comm;
    MPI_Request living[MOST];
    int granted = 0, any = 1, value;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    use(comm, MOST);
    for (; any; granted++) {
        CHECK(granted < MOST, "%d were refused", granted);
        CHECK_MPI(init(comm, &value, 1, &living[granted]));
        any = check(comm, granted);
    }
    CHECK(granted > 2, "%d were refused", granted);
    while (granted-- > 0)
        CHECK_MPI(MPI_Request_free(&living[granted]));
    MPI_Comm_free(&comm);
}

/* No rank may go on as if there had been an init. */
static void check_untracked(void) {
    return_errors(MPI_COMM_WORLD);
    bytes = 2 * sizeof(void *); /* the note of a group, which is the first of that size */
    CHECK(check(MPI_COMM_WORLD, 0), "nothing was refused");
    CHECK(all_failed == world_size(), "%d ranks failed", all_failed);
}

static void check_looks(void) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int value, flag = 1, index;
    return_errors(MPI_COMM_SELF);
    CHECK_MPI(init(MPI_COMM_WORLD, &value, 1, &requests[0]));
    MPI_Irecv(&index, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &requests[1]);
    bytes = sizeof requests;
    left = 0;
    int code = MPI_Request_get_status_all(3, requests, &flag, MPI_STATUSES_IGNORE);
    left = NEVER;
    bytes = 0;
    CHECK(code == MPI_ERR_NO_MEM && refused, "code %d", code);
    MPI_Send(&value, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Start(&requests[0]));
    CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Request_free(&requests[0]));
#endif
}

int main(int argc, char **argv) {
    bool untracked = argc > 1;
    MPI_Init(&argc, &argv);
    if (!REPLACED) {
        MPI_Finalize();
        return skipped("calloc is not this program's");
    }
    if (untracked) {
        check_untracked();
    } else {
        check_inits();
        check_looks();
    }
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
