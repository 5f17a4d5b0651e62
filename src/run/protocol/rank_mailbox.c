/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/protocol/rank_mailbox.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/positions.h"
#include "plan/protocol/sentences.h"
#include "run/progress/progress.h"
#include "run/support/mpi_status.h"
#include "run/support/private.h"
#include "run/support/waits.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 1, TAG_SUMS = 2, ROUNDS_AWAKE = 64, SENDS_PER_LOOK = 64 };

int caucus_rank_mailbox_open(struct caucus_rank_mailbox *mailbox,
                             const struct caucus_attachment *attachment, int64_t most_bytes) {
    MPI_Comm private;
    int first_group;
    int status = caucus_private_make(attachment->comm, &private, &first_group);
    if (status)
        return status;
    mailbox->rank = attachment->rank;
    mailbox->size = attachment->size;
    mailbox->sums = caucus_array(2, sizeof *mailbox->sums);
    status = mailbox->sums ? caucus_mailbox_open(&mailbox->box, private, TAG, most_bytes, false)
                           : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_mailbox_keep_ready(&mailbox->box, 1, most_bytes);
    if (status) {
        free(mailbox->sums);
        caucus_private_free(&private);
    }
    return status;
}

int caucus_rank_mailbox_send(struct caucus_rank_mailbox *mailbox, int rank, const void *head,
                             int64_t head_bytes, const void *body, int64_t body_bytes) {
    if (mailbox->box.sent % SENDS_PER_LOOK == 0)
        caucus_mailbox_sweep(&mailbox->box);
    return caucus_mailbox_send(&mailbox->box, rank, head, head_bytes, body, body_bytes);
}

/* Naps of a sixteenth of what was waited so far, of a millisecond at most: little is lost by them,
 * and a rank that waits for long leaves the processor to those that work. */
void caucus_rank_mailbox_pause(struct caucus_rank_mailbox *mailbox,
                               struct caucus_rank_mailbox_wait *wait, double *seconds) {
    double now = PMPI_Wtime();
    int left = caucus_progress(), begun = caucus_progress_count(CAUCUS_PROGRESS_ACTIVE);
    if (wait->round++ == 0)
        wait->begin = now;
    *seconds = now - wait->begin;
    double nap = *seconds / 16;
#ifdef CAUCUS_SIMULATED /* where each look is an event for the simulator */
    if (left == 0 && mailbox) {
        PMPI_Probe(MPI_ANY_SOURCE, TAG, mailbox->box.comm, MPI_STATUS_IGNORE);
        *seconds = PMPI_Wtime() - wait->begin;
        return;
    }
#endif
    (void)mailbox, (void)left;
    if (wait->round < ROUNDS_AWAKE || begun > 0 || nap < 1e-5) {
        sched_yield();
        return;
    }
    struct timespec length = {.tv_nsec = nap > 1e-3 ? 1000000 : (long)(nap * 1e9)};
    nanosleep(&length, NULL);
}

static void explain(const void *rank, char *text, int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    caucus_sentences_has(&words, *(const int *)rank, "not closed it (message SUM)");
}

/* A number from or to a rank, while messages are received. Where it does not come the request is
 * left to MPI, and so is the memory that it uses. */
static int pass(struct caucus_rank_mailbox *mailbox, bool sends, int64_t *number, int rank,
                double timeout) {
    struct caucus_rank_mailbox_wait wait = {0};
    struct caucus_mailbox_message message;
    MPI_Request request;
    struct caucus_waits_call call = {.name = "the close of a pool or a balance",
                                     .comm = mailbox->box.comm,
                                     .explain = explain,
                                     .context = &rank};
    double seconds = 0;
    int here = 0;
    int code =
        sends ? PMPI_Isend(number, 1, MPI_INT64_T, rank, TAG_SUMS, mailbox->box.comm, &request)
              : PMPI_Irecv(number, 1, MPI_INT64_T, rank, TAG_SUMS, mailbox->box.comm, &request);
    int status = caucus_mpi_status(code, "MPI_Isend or MPI_Irecv");
    caucus_waits_call_begin(&call);
    while (!status) {
        bool taken = true;
        while (taken && !status)
            status = caucus_mailbox_take(&mailbox->box, &taken, &message);
        PMPI_Test(&request, &here, MPI_STATUS_IGNORE);
        if (here || status)
            break;
        caucus_rank_mailbox_pause(NULL, &wait, &seconds);
        if (timeout > 0 && seconds > timeout)
            status = caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, rank %d has not closed it",
                                 timeout, rank);
    }
    caucus_waits_call_end(&call);
    return status;
}

/* The sum over all ranks, by a tree, in the first of the sums. */
static int add_up(struct caucus_rank_mailbox *mailbox, int64_t own, double timeout) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int64_t *room = mailbox->sums;
    int32_t count = caucus_position_children(mailbox->size, mailbox->rank, children);
    int status = CAUCUS_OK;
    room[0] = own;
    for (int32_t i = 0; i < count && !status; i++) {
        status = pass(mailbox, false, &room[1], children[i], timeout);
        if (!status)
            room[0] += room[1];
    }
    if (!status && mailbox->rank > 0) {
        int32_t parent = caucus_position_parent(mailbox->rank);
        status = pass(mailbox, true, &room[0], parent, timeout);
        if (!status)
            status = pass(mailbox, false, &room[0], parent, timeout);
    }
    for (int32_t i = 0; i < count && !status; i++)
        status = pass(mailbox, true, &room[0], children[i], timeout);
    return status;
}

static int receive_rest(struct caucus_rank_mailbox *mailbox, double timeout) {
    int status = add_up(mailbox, mailbox->box.sent, timeout);
    int64_t sent = mailbox->sums[0], received = -1;
    while (!status && received < sent) {
        status = add_up(mailbox, mailbox->box.received, timeout);
        received = mailbox->sums[0];
    }
    return status;
}

int caucus_rank_mailbox_close(struct caucus_rank_mailbox *mailbox, bool all, double timeout) {
    int status = all ? receive_rest(mailbox, timeout) : CAUCUS_OK;
    if (!status)
        free(mailbox->sums);
    while (all && !status && !caucus_mailbox_sweep(&mailbox->box))
        sched_yield(); /* they were received */
    MPI_Comm comm = mailbox->box.comm;
    caucus_mailbox_close(&mailbox->box);
    if (all && !status)
        caucus_private_free(&comm);
    return status;
}
