/* SPDX-License-Identifier: BSD-3-Clause */
/* A synchronous send is complete when the message has been taken; who has all of his taken enters a
 * barrier that does not block, and takes messages until all are in it: then there are none left.
 * Once somebody is dead, who lives gives up: that barrier may never come. */
#include "run/engine/sparse.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/engine/engine.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct exchange {
    const struct caucus_attachment *attachment;
    int tag;
    const struct caucus_sparse_messages *messages;
    const char *data;  /* of all messages */
    char *copy;        /* NULL, or ours: what MPI still sends from when this rank gives up */
    MPI_Datatype type; /* a unit */
    MPI_Request *sends;
    int sent;
    MPI_Request barrier;
    bool entered; /* the barrier */
    char *inbox;
    int64_t count, room; /* units */
    int status;          /* the first failure; the exchange goes on */
};

static void keep(struct exchange *exchange, int status) {
    if (!exchange->status)
        exchange->status = status;
}

/* Room for more units; NULL where there is no memory. */
static char *grow(struct exchange *exchange, int64_t units) {
    size_t unit = exchange->messages->unit;
    if (exchange->count + units > exchange->room) {
        int64_t room = 2 * exchange->room + units;
        char *inbox = realloc(exchange->inbox, (size_t)room * unit);
        if (!inbox) {
            keep(exchange, caucus_fail(CAUCUS_NO_MEMORY, "out of memory: %lld units of %zu bytes",
                                       (long long)room, unit));
            return NULL;
        }
        exchange->inbox = inbox;
        exchange->room = room;
    }
    char *at = exchange->inbox + (size_t)exchange->count * unit;
    exchange->count += units;
    return at;
}

/* A message to itself needs no message. */
static void send(struct exchange *exchange, int32_t to, const char *data, int64_t units) {
    size_t unit = exchange->messages->unit;
    if (to == exchange->attachment->rank) {
        char *at = grow(exchange, units);
        if (at)
            memcpy(at, data, (size_t)units * unit);
    } else if (units > INT_MAX) {
        keep(exchange, caucus_fail(CAUCUS_NO_MEMORY, "a message of %lld units is too long",
                                   (long long)units));
    } else {
        keep(exchange, caucus_mpi_status(PMPI_Issend(data, (int)units, exchange->type, to,
                                                     exchange->tag, exchange->attachment->comm,
                                                     &exchange->sends[exchange->sent]),
                                         "MPI_Issend"));
        exchange->sent += exchange->sends[exchange->sent] != MPI_REQUEST_NULL;
    }
}

/* Where MPI tells of deaths, data that stays when this rank gives up. */
static bool has_data(struct exchange *exchange) {
    const struct caucus_sparse_messages *messages = exchange->messages;
    exchange->data = messages->data;
    if (!caucus_failure_detected() || messages->receivers == 0)
        return true;
    size_t bytes = (size_t)messages->begin[messages->receivers] * messages->unit;
    exchange->data = exchange->copy = caucus_array((int64_t)bytes, 1);
    if (exchange->copy)
        memcpy(exchange->copy, messages->data, bytes);
    return exchange->copy;
}

static void send_all(struct exchange *exchange) {
    const struct caucus_sparse_messages *messages = exchange->messages;
    exchange->sends = caucus_array(messages->receivers, sizeof *exchange->sends);
    if (!exchange->sends || !has_data(exchange)) {
        keep(exchange, CAUCUS_NO_MEMORY);
        return;
    }
    for (int32_t i = 0; i < messages->receivers; i++)
        exchange->sends[i] = MPI_REQUEST_NULL;
    for (int32_t i = 0; i < messages->receivers; i++)
        send(exchange, messages->to[i],
             exchange->data + (size_t)messages->begin[i] * messages->unit,
             messages->begin[i + 1] - messages->begin[i]);
}

/* Takes a message, if one is there. Without memory for it, it is taken all the same: somebody waits
 * for that. */
static bool take(struct exchange *exchange) {
    int found = 0, units = 0;
    char nothing;
    MPI_Message message;
    MPI_Status status;
    keep(exchange,
         caucus_mpi_status(PMPI_Improbe(MPI_ANY_SOURCE, exchange->tag, exchange->attachment->comm,
                                        &found, &message, &status),
                           "MPI_Improbe"));
    if (!found)
        return false;
    PMPI_Get_count(&status, exchange->type, &units);
    char *at = grow(exchange, units);
    int code = PMPI_Mrecv(at ? at : &nothing, at ? units : 0, exchange->type, &message, &status);
    if (at)
        keep(exchange, caucus_mpi_status(code, "MPI_Mrecv"));
    return true;
}

static void enter_barrier(struct exchange *exchange) {
    exchange->entered = true;
    keep(exchange, caucus_mpi_status(PMPI_Ibarrier(exchange->attachment->comm, &exchange->barrier),
                                     "MPI_Ibarrier"));
}

static bool is_through(struct exchange *exchange) {
    int through = 0;
    if (exchange->entered) {
        int status = caucus_mpi_status(PMPI_Test(&exchange->barrier, &through, MPI_STATUS_IGNORE),
                                       "MPI_Ibarrier");
        keep(exchange, status);
        return through || status;
    }
    keep(exchange, caucus_mpi_status(
                       PMPI_Testall(exchange->sent, exchange->sends, &through, MPI_STATUSES_IGNORE),
                       "MPI_Testall"));
    if (through)
        enter_barrier(exchange);
    return false;
}

static bool gives_up(struct exchange *exchange, int64_t round) {
    int dead = -1;
    if (!caucus_failure_detected() || round % CAUCUS_ROUNDS_PER_CLOCK != 0)
        return false;
    keep(exchange, caucus_peers_dead(&exchange->attachment->peers, &dead));
    if (dead < 0)
        return false;
    keep(exchange, caucus_fail(CAUCUS_DEAD, "rank %d, which takes part, is dead", dead));
    return true;
}

/* What MPI has not sent stays. All enter the barrier, since all call MPI's collectives in one
 * order; it cannot be cancelled. */
static void end(struct exchange *exchange) {
    bool sends = false;
    if (!exchange->entered)
        enter_barrier(exchange);
    for (int i = 0; i < exchange->sent; i++)
        if (exchange->sends[i] != MPI_REQUEST_NULL) {
            caucus_waiting_abandon(&exchange->sends[i]);
            sends = true;
        }
    if (sends)
        caucus_waiting_leave(exchange->copy);
    else
        free(exchange->copy);
    free(exchange->sends);
    PMPI_Type_free(&exchange->type);
}

int caucus_sparse_exchange(const struct caucus_attachment *attachment, int tag,
                           const struct caucus_sparse_messages *messages, void **received,
                           int64_t *count) {
    struct exchange exchange = {
        .attachment = attachment, .tag = tag, .messages = messages, .barrier = MPI_REQUEST_NULL};
    int failed = caucus_mpi_status(
        PMPI_Type_contiguous((int)messages->unit, MPI_BYTE, &exchange.type), "MPI_Type_contiguous");
    if (failed)
        return failed;
    PMPI_Type_commit(&exchange.type);
    send_all(&exchange);
    for (int64_t round = 0; !is_through(&exchange) && !gives_up(&exchange, round); round++)
        if (!take(&exchange)) { /* others may wait for what follows before they come here */
            caucus_progress();
            caucus_waiting_pause(&attachment->engine->waiting, round);
        }
    end(&exchange);
    *received = exchange.inbox;
    *count = exchange.count;
    return exchange.status;
}
