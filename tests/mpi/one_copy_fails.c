/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel says in the midst of a collective that the other process is gone: both sides get an
 * error with its reason, and none waits; likewise where ranks disagree about how much there is, in
 * which case nothing is written, and where one gives up: a receiver that has, and can't tell
 * whether its sender still writes, says so to later ones. Where the kernel only refuses a copy, the
 * data comes all the same. A process that has ended is told from one that may not be read.
 * start: own (what replaces process_vm_readv must be the program)
 *
 * run: ranks=2 env=CAUCUS_TIMEOUT=60 env=CAUCUS_ALGORITHM=bcast:binomial env=CAUCUS_NODES=1x2 */
#include "expect_error.h"
#include "peer_calls.h"

#include "run/memory/peer_memory.h"

#include <caucus/caucus.h>

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

enum { COUNT = 1 << 18 };

static int data[COUNT];

static void make(MPI_Comm *comm, caucus_request *request) {
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    return_errors(*comm);
    CHECK_MPI(caucus_bcast_init(data, COUNT, MPI_INT, 0, *comm, MPI_INFO_NULL, request));
    for (int i = 0; i < COUNT; i++)
        data[i] = world_rank() == 0 ? 5 * i : -1;
    MPI_Barrier(*comm);
}

static void drop(MPI_Comm *comm, caucus_request *request) {
    peer_calls_error = 0;
    peer_calls_nap = 0;
    MPI_Barrier(*comm);
    caucus_request_free(request);
    MPI_Comm_free(comm);
}

/* Rank 0 sends; failing may be the one that reads, or that which writes. words: of the error that
 * both get; NULL: none. */
static void fail(int failing, int error, const char *words) {
    MPI_Comm comm;
    caucus_request request;
    make(&comm, &request);
    bool fails = world_rank() == failing;
    peer_calls_error = fails ? error : 0;
    peer_calls_nap = fails ? 0 : 20000; /* so that the other one gets a piece */
    int code = caucus_start(&request);
    if (code == MPI_SUCCESS)
        code = caucus_wait(&request, MPI_STATUS_IGNORE);
    CHECK((code == MPI_SUCCESS) == !words, "%d: %s", code, caucus_error_text());
    CHECK(!words || strstr(caucus_error_text(), words), "%s", caucus_error_text());
    for (int i = 0; i < COUNT && !words; i++)
        CHECK(data[i] == 5 * i, "element %d is %d", i, data[i]);
    drop(&comm, &request);
}

/* Once more on the same communicator. */
static void go_on(MPI_Comm comm, const char *words) {
    caucus_request request;
    CHECK_MPI(caucus_bcast_init(data, COUNT, MPI_INT, 0, comm, MPI_INFO_NULL, &request));
    int code = caucus_start(&request);
    if (code == MPI_SUCCESS)
        code = caucus_wait(&request, MPI_STATUS_IGNORE);
    CHECK((code == MPI_SUCCESS) == !words, "%d: %s", code, caucus_error_text());
    CHECK(!words || strstr(caucus_error_text(), words), "%s", caucus_error_text());
    caucus_request_free(&request);
}

/* One end of what the kernel refuses stops for longer than the other waits. */
static void give_up(int stopping) {
    MPI_Comm comm;
    caucus_request request;
    setenv("CAUCUS_TIMEOUT", "0.5", 1);
    make(&comm, &request);
    setenv("CAUCUS_TIMEOUT", "60", 1);
    bool stops = world_rank() == stopping;
    peer_calls_error = EFAULT;
    int flag = 0, code = caucus_start(&request);
    for (int i = 0; i < 3 && code == MPI_SUCCESS && stops; i++)
        code = caucus_test(&request, &flag, MPI_STATUS_IGNORE);
    if (stops)
        usleep(1500000);
    if (code == MPI_SUCCESS)
        code = caucus_wait(&request, MPI_STATUS_IGNORE);
    CHECK(code != MPI_SUCCESS, "it succeeded");
    CHECK(strstr(caucus_error_text(), stops ? "has given up" : "after 0.5 seconds"), "%s",
          caucus_error_text());
    MPI_Barrier(comm);
    if (stopping > 0)
        go_on(comm, NULL);
    else
        go_on(comm, world_rank() > 0 ? "this rank has lost its buffer" : "that rank has lost its");
    drop(&comm, &request);
}

/* Whoever expects less gets nothing behind it, and whoever expects more reads nothing behind what
 * there is. */
static void differ(int sent, int expected) {
    MPI_Comm comm;
    const int count = world_rank() == 0 ? sent : expected;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int i = 0; i < COUNT; i++)
        data[i] = world_rank() == 0 ? i : -1;
    int class, code = caucus_bcast(data, count, MPI_INT, 0, comm);
    CHECK(code != MPI_SUCCESS, "it succeeded");
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_TRUNCATE, "%s", caucus_error_text());
    CHECK(strstr(caucus_error_text(), "another number of bytes"), "%s", caucus_error_text());
    for (int i = 0; i < COUNT && world_rank() > 0; i++)
        CHECK(data[i] == -1, "element %d was written", i);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

/* A child that is killed, before anybody has taken note of that and after. */
static void read_the_dead(void) {
    static uint64_t word = 77;
    uint64_t found = 0;
    int tubes[2], status;
    char *into = (char *)&found, byte;
    CHECK(pipe(tubes) == 0, "no pipe");
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    CHECK(child > 0, "no process");
    CHECK(caucus_peer_copy(child, CAUCUS_PEER_READ, into, (uintptr_t)&word, sizeof word) == 0,
          "a child can't be read");
    CHECK(found == 77, "%llu", (unsigned long long)found);
    close(tubes[1]);
    kill(child, SIGKILL);
    CHECK(read(tubes[0], &byte, 1) == 0, "the other end is open"); /* until the child is dead */
    int zombie = caucus_peer_copy(child, CAUCUS_PEER_READ, into, (uintptr_t)&word, sizeof word);
    CHECK(zombie == ESRCH, "%s", strerror(zombie));
    waitpid(child, &status, 0);
    int gone = caucus_peer_copy(child, CAUCUS_PEER_READ, into, (uintptr_t)&word, sizeof word);
    CHECK(gone == ESRCH, "%s", strerror(gone));
    close(tubes[0]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int failing = 0; failing < 2; failing++) {
        fail(failing, EPERM, NULL);
        fail(failing, EFAULT, NULL);
        fail(failing, ESRCH, "is dead");
        give_up(failing);
    }
    differ(COUNT, COUNT / 2);
    differ(COUNT / 2, COUNT);
    read_the_dead();
    MPI_Finalize();
    return 0;
}
