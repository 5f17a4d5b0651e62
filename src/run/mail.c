/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/mail.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/positions.h"
#include "plan/protocol/sentences.h"
#include "run/execution.h"
#include "run/from_any.h"
#include "run/mpi_status.h"
#include "run/private.h"
#include "run/service.h"
#include "run/waits.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 1, TAG_SUMS = 2, ROUNDS_AWAKE = 64, SENDS_PER_LOOK = 64 };

struct sending {
    MPI_Request request;
    struct sending *next;
    unsigned char bytes[];
};

struct caucus_mail {
    MPI_Comm comm;
    int rank, size;
    struct caucus_from_any letters;
    struct sending *first, **last; /* oldest first */
    int64_t sent, received;
};

int caucus_mail_open(MPI_Comm comm, int most_bytes, struct caucus_mail **made) {
    struct caucus_mail *mail = caucus_array(1, sizeof *mail);
    if (!mail)
        return CAUCUS_NO_MEMORY;
    *mail = (struct caucus_mail){
        .comm = comm,
        .letters = {.comm = comm, .tag = TAG, .most = most_bytes, .request = MPI_REQUEST_NULL}};
    PMPI_Comm_rank(comm, &mail->rank);
    PMPI_Comm_size(comm, &mail->size);
    mail->last = &mail->first;
    mail->letters.bytes = caucus_array(most_bytes, 1);
    if (!mail->letters.bytes) {
        free(mail);
        return CAUCUS_NO_MEMORY;
    }
    *made = mail;
    return CAUCUS_OK;
}

/* They go more or less in their order: who waits for one need not look at those behind it. Now and
 * then is often enough. */
static void drop_sent(struct caucus_mail *mail) {
    if (mail->sent % SENDS_PER_LOOK != 0)
        return;
    while (mail->first) {
        struct sending *sending = mail->first;
        int sent = 0;
        PMPI_Test(&sending->request, &sent, MPI_STATUS_IGNORE);
        if (!sent)
            return;
        mail->first = sending->next;
        free(sending);
    }
    mail->last = &mail->first;
}

int caucus_mail_send(struct caucus_mail *mail, int rank, const void *bytes, int length) {
    struct sending *sending = caucus_array((int64_t)sizeof *sending + length, 1);
    if (!sending)
        return CAUCUS_NO_MEMORY;
    memcpy(sending->bytes, bytes, (size_t)length);
    int status = caucus_mpi_status(
        PMPI_Isend(sending->bytes, length, MPI_BYTE, rank, TAG, mail->comm, &sending->request),
        "MPI_Isend");
    if (status) {
        free(sending);
        return status;
    }
    mail->sent++;
    *mail->last = sending;
    mail->last = &sending->next;
    drop_sent(mail);
    return CAUCUS_OK;
}

int caucus_mail_take(struct caucus_mail *mail, bool *taken, struct caucus_mail_letter *letter) {
    MPI_Status from;
    int status = caucus_from_any_take(&mail->letters, taken, &from);
    if (!*taken)
        return status;
    mail->received++;
    letter->source = from.MPI_SOURCE;
    letter->bytes = mail->letters.bytes;
    PMPI_Get_count(&from, MPI_BYTE, &letter->length);
    return status;
}

/* Naps of a sixteenth of what was waited so far, of a millisecond at most: little is lost by them,
 * and a rank that waits for long leaves the processor to those that work. */
void caucus_mail_pause(struct caucus_mail *mail, struct caucus_mail_wait *wait, bool (*also)(void),
                       double *seconds) {
    double now = PMPI_Wtime();
    bool more = also && also();
    int active = caucus_progress_all();
    caucus_serve();
    if (wait->round++ == 0)
        wait->begin = now;
    *seconds = now - wait->begin;
    double nap = *seconds / 16;
#ifdef CAUCUS_SIMULATED /* where each look is an event for the simulator */
    if (!more && active == 0 && !caucus_service_owed() && mail) {
        PMPI_Probe(MPI_ANY_SOURCE, TAG, mail->comm, MPI_STATUS_IGNORE);
        *seconds = PMPI_Wtime() - wait->begin;
        return;
    }
#endif
    (void)mail;
    if (wait->round < ROUNDS_AWAKE || more || active > 0 || nap < 1e-5) {
        sched_yield();
        return;
    }
    struct timespec length = {.tv_nsec = nap > 1e-3 ? 1000000 : (long)(nap * 1e9)};
    nanosleep(&length, NULL);
}

struct closing {
    bool (*also)(void);
    double timeout;
};

static void explain(const void *rank, char *text, int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    caucus_sentences_has(&words, *(const int *)rank, "not closed it (message SUM)");
}

/* A number from or to a rank, while letters are received. Where it does not come the request is
 * left to MPI, and so is the memory that it uses. */
static int pass(struct caucus_mail *mail, bool sends, int64_t *number, int rank,
                const struct closing *closing) {
    struct caucus_mail_wait wait = {0};
    struct caucus_mail_letter letter;
    MPI_Request request;
    struct caucus_waits_call call = {.name = "the close of a pool or a balance",
                                     .comm = mail->comm,
                                     .explain = explain,
                                     .context = &rank};
    double seconds = 0;
    int here = 0;
    int code = sends ? PMPI_Isend(number, 1, MPI_INT64_T, rank, TAG_SUMS, mail->comm, &request)
                     : PMPI_Irecv(number, 1, MPI_INT64_T, rank, TAG_SUMS, mail->comm, &request);
    int status = caucus_mpi_status(code, "MPI_Isend or MPI_Irecv");
    caucus_waits_call_begin(&call);
    while (!status) {
        bool taken = true;
        while (taken && !status)
            status = caucus_mail_take(mail, &taken, &letter);
        PMPI_Test(&request, &here, MPI_STATUS_IGNORE);
        if (here || status)
            break;
        caucus_mail_pause(NULL, &wait, closing->also, &seconds);
        if (closing->timeout > 0 && seconds > closing->timeout)
            status = caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, rank %d has not closed it",
                                 closing->timeout, rank);
    }
    caucus_waits_call_end(&call);
    return status;
}

/* The sum over all ranks, by a tree. room has two numbers. */
static int add_up(struct caucus_mail *mail, int64_t own, const struct closing *closing,
                  int64_t *room) {
    int32_t children[CAUCUS_POSITION_CHILDREN];
    int32_t count = caucus_position_children(mail->size, mail->rank, children);
    int status = CAUCUS_OK;
    room[0] = own;
    for (int32_t i = 0; i < count && !status; i++) {
        status = pass(mail, false, &room[1], children[i], closing);
        if (!status)
            room[0] += room[1];
    }
    if (!status && mail->rank > 0) {
        int32_t parent = caucus_position_parent(mail->rank);
        status = pass(mail, true, &room[0], parent, closing);
        if (!status)
            status = pass(mail, false, &room[0], parent, closing);
    }
    for (int32_t i = 0; i < count && !status; i++)
        status = pass(mail, true, &room[0], children[i], closing);
    return status;
}

static int receive_rest(struct caucus_mail *mail, const struct closing *closing) {
    int64_t *room = caucus_array(2, sizeof *room), sent, received = -1;
    if (!room)
        return CAUCUS_NO_MEMORY;
    int status = add_up(mail, mail->sent, closing, room);
    sent = room[0];
    while (!status && received < sent) {
        status = add_up(mail, mail->received, closing, room);
        received = room[0];
    }
    if (!status)
        free(room);
    return status;
}

int caucus_mail_close(struct caucus_mail *mail, bool all, bool (*also)(void), double timeout) {
    const struct closing closing = {also, timeout};
    int status = all ? receive_rest(mail, &closing) : CAUCUS_OK;
    while (mail->first) {
        struct sending *sending = mail->first;
        mail->first = sending->next;
        if (all && !status) {
            PMPI_Wait(&sending->request, MPI_STATUS_IGNORE);
            free(sending);
        } else {
            PMPI_Request_free(&sending->request); /* MPI may read it still: it is left */
        }
    }
    if (!status)
        caucus_private_free(&mail->comm);
    if (caucus_from_any_rests(&mail->letters))
        free(mail->letters.bytes);
    free(mail);
    return status;
}
