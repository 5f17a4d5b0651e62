/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/protocol/mailbox.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 1024 }; /* bytes */

struct caucus_mailbox_send {
    MPI_Request request;
    struct caucus_mailbox_send *next;
    int64_t room;
    bool is_last_resort; /* which outlives what it sends */
    unsigned char bytes[];
};

static struct caucus_mailbox_send *make_send(int64_t room) {
    struct caucus_mailbox_send *send = caucus_array((int64_t)sizeof *send + room, 1);
    if (send)
        send->room = room;
    return send;
}

static void push(struct caucus_mailbox_send **list, struct caucus_mailbox_send *send) {
    send->next = *list;
    *list = send;
}

static struct caucus_mailbox_send *pop(struct caucus_mailbox_send **list) {
    struct caucus_mailbox_send *send = *list;
    *list = send->next;
    send->next = NULL;
    return send;
}

static void free_all(struct caucus_mailbox_send **list) {
    while (*list)
        free(pop(list));
}

static int add_sends(struct caucus_mailbox_send **list, int64_t count, int64_t length) {
    for (int64_t i = 0; i < count; i++) {
        struct caucus_mailbox_send *send = make_send(length);
        if (!send)
            return CAUCUS_NO_MEMORY;
        push(list, send);
    }
    return CAUCUS_OK;
}

int caucus_mailbox_reserve(struct caucus_mailbox *mailbox, int64_t count, int64_t length) {
    free_all(&mailbox->spare);
    return add_sends(&mailbox->spare, count, length);
}

int caucus_mailbox_keep_ready(struct caucus_mailbox *mailbox, int64_t count, int64_t length) {
    int status = add_sends(&mailbox->last_resort, count, length);
    for (struct caucus_mailbox_send *at = mailbox->last_resort; at; at = at->next)
        at->is_last_resort = true;
    if (status)
        caucus_mailbox_close(mailbox);
    return status;
}

static void end_send(struct caucus_mailbox *mailbox, struct caucus_mailbox_send *send) {
    if (send->is_last_resort)
        push(&mailbox->last_resort, send);
    else
        free(send);
}

/* Those that MPI has sent are there again; where it has sent none, the oldest is waited for, which
 * is short. */
static void await_last_resort(struct caucus_mailbox *mailbox) {
    struct caucus_mailbox_send **at = &mailbox->first, *before = NULL;
    caucus_mailbox_sweep(mailbox);
    while (*at && !(*at)->is_last_resort) {
        before = *at;
        at = &before->next;
    }
    struct caucus_mailbox_send *oldest = *at;
    if (mailbox->last_resort || !oldest)
        return;
    PMPI_Wait(&oldest->request, MPI_STATUS_IGNORE);
    *at = oldest->next;
    if (mailbox->last == oldest)
        mailbox->last = before;
    push(&mailbox->last_resort, oldest);
}

static struct caucus_mailbox_send *take_last_resort(struct caucus_mailbox *mailbox,
                                                    int64_t length) {
    if (!mailbox->last_resort)
        await_last_resort(mailbox);
    bool fits = mailbox->last_resort && mailbox->last_resort->room >= length;
    return fits ? pop(&mailbox->last_resort) : NULL;
}

/* One that is reserved, if it is large enough, or else a new one. */
static struct caucus_mailbox_send *take_send(struct caucus_mailbox *mailbox, int64_t length) {
    if (mailbox->spare && mailbox->spare->room >= length)
        return pop(&mailbox->spare);
    struct caucus_mailbox_send *send = make_send(length);
    return send ? send : take_last_resort(mailbox, length);
}

static int make_room(struct caucus_mailbox *mailbox, int64_t length) {
    if (length <= mailbox->room && mailbox->bytes)
        return CAUCUS_OK;
    void *bytes = caucus_array(length > 0 ? length : 1, 1);
    if (!bytes)
        return CAUCUS_NO_MEMORY;
    free(mailbox->bytes);
    mailbox->bytes = bytes;
    mailbox->room = length;
    return CAUCUS_OK;
}

int caucus_mailbox_open(struct caucus_mailbox *mailbox, MPI_Comm comm, int tag, int64_t room,
                        bool survives) {
    *mailbox = (struct caucus_mailbox){.comm = comm,
                                       .tag = tag,
                                       .survives = survives,
                                       .receiving = MPI_REQUEST_NULL,
                                       .kept = MPI_MESSAGE_NULL};
    return make_room(mailbox, room);
}

/* Whether a failure is that of somebody else, who is dead. */
static bool forgives(const struct caucus_mailbox *mailbox, int code) {
    return mailbox->survives && caucus_failure_is(code);
}

/* They go more or less in their order: who waits for one need not look at those behind it. What
 * fails was for somebody who is dead. */
bool caucus_mailbox_sweep(struct caucus_mailbox *mailbox) {
    while (mailbox->first) {
        struct caucus_mailbox_send *send = mailbox->first;
        int sent = 0;
        if (PMPI_Test(&send->request, &sent, MPI_STATUS_IGNORE) == MPI_SUCCESS && !sent)
            return false;
        mailbox->first = send->next;
        end_send(mailbox, send);
    }
    return true;
}

int caucus_mailbox_send(struct caucus_mailbox *mailbox, int rank, const void *head,
                        int64_t head_bytes, const void *body, int64_t body_bytes) {
    int64_t length = head_bytes + body_bytes;
    if (length > INT_MAX)
        return caucus_fail(CAUCUS_UNSUPPORTED, "a message of %lld bytes: MPI counts them by int",
                           (long long)length);
    struct caucus_mailbox_send *send = take_send(mailbox, length);
    if (!send)
        return CAUCUS_NO_MEMORY;
    memcpy(send->bytes, head, (size_t)head_bytes);
    if (body_bytes > 0)
        memcpy(send->bytes + head_bytes, body, (size_t)body_bytes);
    int code = PMPI_Isend(send->bytes, (int)length, MPI_BYTE, rank, mailbox->tag, mailbox->comm,
                          &send->request);
    if (code != MPI_SUCCESS) {
        end_send(mailbox, send);
        return forgives(mailbox, code) ? CAUCUS_OK : caucus_mpi_status(code, "MPI_Isend");
    }
    mailbox->sent++;
    if (mailbox->first)
        mailbox->last->next = send;
    else
        mailbox->first = send;
    mailbox->last = send;
    return CAUCUS_OK;
}

static void hand_out(const struct caucus_mailbox *mailbox, bool *taken,
                     struct caucus_mailbox_message *message) {
    *taken = true;
    *message = (struct caucus_mailbox_message){mailbox->latest_source, mailbox->latest_length,
                                               mailbox->bytes};
}

/* What fails came from somebody who has died over it. */
static int end_receive(struct caucus_mailbox *mailbox, int code, const char *function,
                       const MPI_Status *from, bool *taken,
                       struct caucus_mailbox_message *message) {
    int length = 0;
    if (code != MPI_SUCCESS)
        return forgives(mailbox, code) ? CAUCUS_OK : caucus_mpi_status(code, function);
    PMPI_Get_count(from, MPI_BYTE, &length);
    mailbox->received++;
    mailbox->latest_source = from->MPI_SOURCE;
    mailbox->latest_length = length;
    hand_out(mailbox, taken, message);
    return CAUCUS_OK;
}

static int test(struct caucus_mailbox *mailbox, bool *taken,
                struct caucus_mailbox_message *message) {
    MPI_Status from;
    int here = 0;
    int code = PMPI_Test(&mailbox->receiving, &here, &from);
    if (code == MPI_SUCCESS && !here)
        return CAUCUS_OK;
    mailbox->receiving = MPI_REQUEST_NULL;
    return end_receive(mailbox, code, "MPI_Test", &from, taken, message);
}

/* A short message is there whole; a long one may still be asked for, which nobody waits for. One
 * that there is no memory for stays with MPI until there is. */
static int receive(struct caucus_mailbox *mailbox, MPI_Message *matched, const MPI_Status *probed,
                   bool *taken, struct caucus_mailbox_message *message) {
    MPI_Status from;
    int length;
    PMPI_Get_count(probed, MPI_BYTE, &length);
    int status = make_room(mailbox, length);
    if (status) {
        mailbox->kept = *matched;
        mailbox->kept_status = *probed;
        return status;
    }
    if (length <= SHORT) {
        int code = PMPI_Mrecv(mailbox->bytes, length, MPI_BYTE, matched, &from);
        return end_receive(mailbox, code, "MPI_Mrecv", &from, taken, message);
    }
    int code = PMPI_Imrecv(mailbox->bytes, length, MPI_BYTE, matched, &mailbox->receiving);
    if (code == MPI_SUCCESS)
        return test(mailbox, taken, message);
    return forgives(mailbox, code) ? CAUCUS_OK : caucus_mpi_status(code, "MPI_Imrecv");
}

static int probe(struct caucus_mailbox *mailbox, bool *found, MPI_Message *matched,
                 MPI_Status *from) {
    int here = 0;
    if (mailbox->survives)
        return caucus_failure_probe(mailbox->comm, mailbox->tag, found, matched, from,
                                    &mailbox->deaths);
    int code = PMPI_Improbe(MPI_ANY_SOURCE, mailbox->tag, mailbox->comm, &here, matched, from);
    *found = code == MPI_SUCCESS && here;
    return caucus_mpi_status(code, "MPI_Improbe");
}

int caucus_mailbox_take(struct caucus_mailbox *mailbox, bool *taken,
                        struct caucus_mailbox_message *message) {
    MPI_Message matched;
    MPI_Status from;
    bool found;
    *taken = false;
    if (mailbox->again) {
        mailbox->again = false;
        hand_out(mailbox, taken, message);
        return CAUCUS_OK;
    }
    if (mailbox->receiving != MPI_REQUEST_NULL)
        return test(mailbox, taken, message);
    if (mailbox->kept != MPI_MESSAGE_NULL) {
        matched = mailbox->kept;
        from = mailbox->kept_status;
        mailbox->kept = MPI_MESSAGE_NULL;
        return receive(mailbox, &matched, &from, taken, message);
    }
    int status = probe(mailbox, &found, &matched, &from);
    return status || !found ? status : receive(mailbox, &matched, &from, taken, message);
}

void caucus_mailbox_again(struct caucus_mailbox *mailbox) {
    mailbox->again = true;
}

bool caucus_mailbox_rests(struct caucus_mailbox *mailbox) {
    int here = 1;
    if (mailbox->receiving != MPI_REQUEST_NULL)
        PMPI_Test(&mailbox->receiving, &here, MPI_STATUS_IGNORE);
    return here;
}

void caucus_mailbox_close(struct caucus_mailbox *mailbox) {
    int finalized;
    PMPI_Finalized(&finalized);
    if (!finalized)
        caucus_mailbox_sweep(mailbox);
    if (!finalized && mailbox->kept != MPI_MESSAGE_NULL) /* or MPI would keep it for ever */
        PMPI_Mrecv(NULL, 0, MPI_BYTE, &mailbox->kept, MPI_STATUS_IGNORE);
    if (finalized ? mailbox->receiving == MPI_REQUEST_NULL : caucus_mailbox_rests(mailbox))
        free(mailbox->bytes);
    free_all(&mailbox->spare);
    free_all(&mailbox->last_resort);
    while (!finalized && mailbox->first) {
        struct caucus_mailbox_send *send = mailbox->first;
        mailbox->first = send->next;
        PMPI_Request_free(&send->request);
    }
}
