/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv that can't send, or can't receive, while a collective of Caucus is active: its error
 * comes back as if none were, by a handler of the user's or as a code, and what it would have
 * received is left to the next receive.
 * run: ranks=2,3 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=2 preload args=return mpi=mpich,openmpi */
#include "persistent.h"

#if HAS_PERSISTENT
enum { TAG = 3, GO = 4 };

static MPI_Comm erring;
static int returns; /* MPI_ERRORS_RETURN, in place of a handler */

static void expect(int code, const char *what) {
    static int handled;
    int class = MPI_ERR_RANK;
    if (returns)
        MPI_Error_class(code, &class);
    else
        CHECK(errors_ignored == ++handled, "%s: %d calls of the handler", what, errors_ignored);
    CHECK(class == MPI_ERR_RANK, "%s: class %d", what, class);
}

static void err(int nobody) {
    int given = 1, got = -1;
    MPI_Status status;
    expect(MPI_Sendrecv(&given, 1, MPI_INT, nobody, TAG, &got, 1, MPI_INT, 1, TAG, erring, &status),
           "a bad destination");
    expect(MPI_Sendrecv(&given, 1, MPI_INT, 1, TAG, &got, 1, MPI_INT, nobody, TAG, erring, &status),
           "a bad source");
    expect(MPI_Sendrecv_replace(&given, 1, MPI_INT, nobody, TAG, 1, TAG, erring, &status),
           "a bad destination, replacing");
    expect(MPI_Sendrecv_replace(&given, 1, MPI_INT, 1, TAG, nobody, TAG, erring, &status),
           "a bad source, replacing");
    CHECK(given == 1 && got == -1, "%d and %d", given, got);
}

/* Rank 0 alone has started, so that it is active there, until it says that the others may. */
static void start_and_err(MPI_Request *request, int rank, int size) {
    int came = -1;
    if (rank > 0)
        MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Start(request);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, TAG, erring);
    if (rank > 0)
        return;
    err(size + 5);
    for (int other = 1; other < size; other++)
        MPI_Send(NULL, 0, MPI_INT, other, GO, MPI_COMM_WORLD);
    MPI_Recv(&came, 1, MPI_INT, 1, TAG, erring, MPI_STATUS_IGNORE);
    CHECK(came == 1, "%d", came);
}

int main(int argc, char **argv) {
    MPI_Request request;
    returns = argc > 1;
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), sum = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &erring);
    if (returns)
        MPI_Comm_set_errhandler(erring, MPI_ERRORS_RETURN);
    else
        return_errors(erring);
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start_and_err(&request, rank, size);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == size * (size - 1) / 2, "%d", sum);
    MPI_Request_free(&request);
    MPI_Comm_free(&erring);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
