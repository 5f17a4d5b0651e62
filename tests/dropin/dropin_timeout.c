/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's waits for any, some or all of several requests, ours and native ones, and a loop of tests,
 * end with a report where a rank does not start a collective in time.
 * run: ranks=2,3 preload env=CAUCUS_TIMEOUT=0.4 */
#include "persistent.h"

#if HAS_PERSISTENT
static int out[2], in = 1, message;

enum { ANY, SOME, ALL, LOOP, TURNS };

static int wait_for(int turn, MPI_Request requests[3], MPI_Status statuses[3]) {
    int index, indices[3], completed, flag = 0, code = MPI_SUCCESS;
    if (turn == ANY)
        return MPI_Waitany(3, requests, &index, statuses);
    if (turn == SOME)
        return MPI_Waitsome(3, requests, &completed, indices, statuses);
    if (turn == ALL)
        return MPI_Waitall(3, requests, statuses);
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Testall(3, requests, &flag, statuses);
    return code;
}

static void wait_in_vain(int turn) {
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Comm comm;
    int code, class;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    return_errors(MPI_COMM_WORLD); /* whose handler is called for arrays */
    for (int i = 0; i < 2; i++)
        CHECK_MPI(MPI_Allreduce_init(&in, &out[i], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                     &requests[i]));
    CHECK_MPI(MPI_Irecv(&message, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[2]));
    if (world_rank() > 0) {
        CHECK_MPI(MPI_Startall(2, requests));
        code = wait_for(turn, requests, statuses);
        CHECK(code != MPI_SUCCESS, "nothing failed in turn %d", turn);
        MPI_Error_class(code, &class);
        CHECK((class == MPI_ERR_IN_STATUS) == (turn != ANY), "class %d in turn %d", class, turn);
        if (turn >= ALL)
            CHECK(statuses[2].MPI_ERROR == MPI_ERR_PENDING, "error %d", statuses[2].MPI_ERROR);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* what is left */
        MPI_Send(&turn, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    for (int r = 1; world_rank() == 0 && r < world_size(); r++) /* a barrier would time out too */
        MPI_Recv(&turn, 1, MPI_INT, r, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int r = 0; world_rank() == 0 && r < world_size(); r++)
        MPI_Send(&r, 1, MPI_INT, r, 9, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
    CHECK(message == world_rank(), "%d", message);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int turn = ANY; turn < TURNS; turn++)
        wait_in_vain(turn);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
