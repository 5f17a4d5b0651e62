/* SPDX-License-Identifier: BSD-3-Clause */
/* Mailboxes: messages short and long come whole, one after the other; and what is still being sent
 * when one is closed is left to MPI, and comes all the same. Whether MPI says that a message is
 * sent is settled here, for MPIs differ. What was taken can be the next again, and what is kept
 * ready needs no memory.
 *
 * run: ranks=1,2,3
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "check.h"
#include "own_calloc.h"

#include "base/status.h"
#include "run/protocol/mailbox.h"

#include <dlfcn.h>
#include <string.h>

enum { TAG = 5, LONGEST = 5000 };

static bool says_not_yet;
static int requests_freed;
static bool lacks_memory;

static bool refuses(size_t count, size_t size) {
    return lacks_memory && count > LONGEST / 100 && size == 1;
}

/* The library calls these; those of MPI come behind them. */
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    static int (*real)(MPI_Request *, int *, MPI_Status *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Test");
    *flag = 0;
    return says_not_yet ? MPI_SUCCESS : real(request, flag, status);
}

int PMPI_Request_free(MPI_Request *request) {
    static int (*real)(MPI_Request *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Request_free");
    requests_freed++;
    return real(request);
}

static unsigned char letter(int from, int length, int i) {
    return (unsigned char)(7 * from + length + i);
}

static int try_to_send(struct caucus_mailbox *mailbox, int length) {
    unsigned char bytes[LONGEST];
    int to = (world_rank() + 1) % world_size(), head = length / 3;
    for (int i = 0; i < length; i++)
        bytes[i] = letter(world_rank(), length, i);
    return caucus_mailbox_send(mailbox, to, bytes, head, bytes + head, length - head);
}

static void send_to_next(struct caucus_mailbox *mailbox, int length) {
    CHECK(!try_to_send(mailbox, length), "send");
}

static void check_bytes(const unsigned char *bytes, int from, int length) {
    for (int i = 0; i < length; i++)
        CHECK(bytes[i] == letter(from, length, i), "byte %d of %d", i, length);
}

static void take(struct caucus_mailbox *mailbox, int length) {
    int before = (world_rank() + world_size() - 1) % world_size();
    struct caucus_mailbox_message message;
    bool taken = false;
    while (!taken)
        CHECK(!caucus_mailbox_take(mailbox, &taken, &message), "take");
    CHECK(message.source == before && message.length == length, "%lld bytes from rank %d",
          (long long)message.length, message.source);
    check_bytes(message.bytes, before, length);
}

static void check_again(MPI_Comm comm) {
    struct caucus_mailbox mailbox;
    CHECK(!caucus_mailbox_open(&mailbox, comm, TAG, 1, false), "open");
    send_to_next(&mailbox, 9);
    send_to_next(&mailbox, 7);
    for (int i = 0; i < 3; i++) {
        take(&mailbox, 9);
        caucus_mailbox_again(&mailbox);
    }
    take(&mailbox, 9);
    take(&mailbox, 7);
    CHECK(mailbox.received == 2, "%lld received", (long long)mailbox.received);
    while (!caucus_mailbox_sweep(&mailbox))
        continue;
    caucus_mailbox_close(&mailbox);
}

static void check_ready(MPI_Comm comm) {
    enum { READY = 2, LENGTH = 100 };
    struct caucus_mailbox mailbox;
    CHECK(!caucus_mailbox_open(&mailbox, comm, TAG, LENGTH, false), "open");
    CHECK(!caucus_mailbox_keep_ready(&mailbox, READY, LENGTH), "none is ready");
    lacks_memory = true;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < READY; i++)
            send_to_next(&mailbox, LENGTH - i);
        for (int i = 0; i < READY; i++)
            take(&mailbox, LENGTH - i);
    }
    if (REPLACED)
        CHECK(try_to_send(&mailbox, LENGTH + 1) == CAUCUS_NO_MEMORY, "sent without memory");
    lacks_memory = false;
    while (!caucus_mailbox_sweep(&mailbox))
        continue;
    if (REPLACED)
        CHECK(mailbox.last_resort, "what was kept ready is gone");
    caucus_mailbox_close(&mailbox);
}

static void check_lengths(MPI_Comm comm) {
    static const int lengths[] = {1, 1024, 1025, LONGEST, 3};
    enum { COUNT = sizeof lengths / sizeof *lengths };
    struct caucus_mailbox mailbox;
    CHECK(!caucus_mailbox_open(&mailbox, comm, TAG, 1, false), "open");
    for (int n = 0; n < COUNT; n++)
        send_to_next(&mailbox, lengths[n]);
    for (int n = 0; n < COUNT; n++)
        take(&mailbox, lengths[n]);
    CHECK(mailbox.sent == COUNT && mailbox.received == COUNT, "other numbers");
    while (!caucus_mailbox_sweep(&mailbox))
        continue;
    caucus_mailbox_close(&mailbox);
    CHECK(requests_freed == 0, "all was sent");
}

static void check_left(MPI_Comm comm) {
    enum { LENGTH = 100, COUNT = 2 };
    struct caucus_mailbox mailbox;
    unsigned char bytes[LENGTH];
    void *left[COUNT];
    int before = (world_rank() + world_size() - 1) % world_size();
    CHECK(!caucus_mailbox_open(&mailbox, comm, TAG, 1, false), "open");
    for (int n = 0; n < COUNT; n++) {
        send_to_next(&mailbox, LENGTH);
        left[n] = mailbox.last;
    }
    says_not_yet = true;
    caucus_mailbox_close(&mailbox);
    says_not_yet = false;
    CHECK(requests_freed == COUNT && !mailbox.first, "%d requests were freed", requests_freed);
    for (int n = 0; n < COUNT; n++) {
        MPI_Recv(bytes, LENGTH, MPI_BYTE, before, TAG, comm, MPI_STATUS_IGNORE);
        check_bytes(bytes, before, LENGTH);
    }
    MPI_Barrier(comm); /* so MPI reads them no more */
    for (int n = 0; n < COUNT; n++)
        free(left[n]);
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_lengths(comm);
    check_again(comm);
    check_ready(comm);
    check_left(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
