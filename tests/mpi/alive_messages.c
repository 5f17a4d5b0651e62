/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from any member, where a rank outside of the group dies while it waits, and the message
 * comes between MPI's word of the death and the next look for it.
 *
 * run: ranks=4 deaths mpi=openmpi output="2 messages came" */
#include "alive_kills.h"
#include "failure_classes.h"

#include <caucus/caucus.h>

#include <string.h>

enum { RECEIVER, SENDER, FIRST_DEAD, RANKS = 4, TAG = 5, SECONDS = 30 };

static MPI_Comm comm;

static void await(int rank, int stage) {
    double begin = MPI_Wtime();
    while (board->line[rank].stage < stage) {
        CHECK(MPI_Wtime() - begin < SECONDS, "rank %d does not come to stage %d", rank, stage);
        usleep(1000);
    }
}

/* The message comes and is received after this. */
static int told(int code) {
    int class = code, found;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if ((class != MPIX_ERR_PROC_FAILED_PENDING && class != MPIX_ERR_PROC_FAILED) ||
        board->line[RECEIVER].stage % 2 == 0)
        return code;
    await(SENDER, ++board->line[RECEIVER].stage);
    for (int i = 0; i < 100; i++) {
        MPI_Iprobe(SENDER, TAG, comm, &found, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    return code;
}

/* The library calls it. */
int PMPI_Improbe(int source, int tag, MPI_Comm given, int *flag, MPI_Message *message,
                 MPI_Status *status) {
    static int (*real)(int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Improbe");
    return told(real(source, tag, given, flag, message, status));
}

/* Of two integers, where there is room for so many. */
static void pass(caucus_group group, int number, int room) {
    int rank = world_rank(), data[2] = {10 * number, 10 * number + 1}, got[2] = {-1, -1}, count;
    MPI_Status status;
    if (rank == FIRST_DEAD + number) {
        await(RECEIVER, 2 * number + 1);
        usleep(100000);
        die();
    } else if (rank == SENDER) {
        await(RECEIVER, 2 * number + 2);
        CHECK_MPI(caucus_group_send(data, 2, MPI_INT, RECEIVER, TAG, group));
        board->line[SENDER].stage = 2 * number + 2;
    } else if (rank == RECEIVER) {
        board->line[RECEIVER].stage++;
        int code = caucus_group_recv(got, room, MPI_INT, MPI_ANY_SOURCE, TAG, group, &status);
        CHECK(board->line[RECEIVER].stage == 2 * number + 2, "no death was told");
        CHECK(got[0] == data[0] && got[1] == (room > 1 ? data[1] : -1), "%d, %d", got[0], got[1]);
        if (room < 2) {
            CHECK(code != MPI_SUCCESS && strstr(caucus_error_text(), "trunc"), "%s",
                  code ? caucus_error_text() : "a message that is too long is received");
            return;
        }
        CHECK_MPI(code);
        CHECK_MPI(MPI_Get_count(&status, MPI_INT, &count));
        CHECK(status.MPI_SOURCE == SENDER && status.MPI_TAG == TAG && count == 2,
              "source %d, tag %d, %d elements", status.MPI_SOURCE, status.MPI_TAG, count);
    }
}

int main(int argc, char **argv) {
    caucus_group group = CAUCUS_GROUP_NULL;
    const int members[2] = {RECEIVER, SENDER};
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK(world_size() == RANKS, "%d ranks", world_size());
    CHECK_MPI(caucus_comm_attach(comm));
    CHECK_MPI(caucus_failures_detected(&detected));
    make_board();
    if (world_rank() < FIRST_DEAD)
        CHECK_MPI(caucus_group_create(comm, members, 2, 0, &group));
    for (int number = 0; number < 2; number++)
        pass(group, number, 2 - number);
    if (world_rank() == RECEIVER) {
        printf("2 messages came\n");
        fflush(stdout);
        board->over = 1;
    }
    while (!board->over)
        usleep(1000);
    _exit(0);
}
