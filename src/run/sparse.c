/* SPDX-License-Identifier: BSD-3-Clause */
/* A synchronous send is complete when the letter has been taken; who has all of his taken enters a
 * barrier that does not block, and takes letters until all are in it: then there are none left. */
#include "run/sparse.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/execution.h"
#include "run/mpi_status.h"
#include "run/waiting.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct exchange {
    const struct caucus_attachment *attachment;
    int tag;
    const struct caucus_letters *letters;
    MPI_Datatype type; /* a unit */
    MPI_Request *sends;
    int sent;
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
    size_t unit = exchange->letters->unit;
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

/* A letter to itself needs no message. */
static void send(struct exchange *exchange, int32_t to, const char *data, int64_t units) {
    size_t unit = exchange->letters->unit;
    if (to == exchange->attachment->rank) {
        char *at = grow(exchange, units);
        if (at)
            memcpy(at, data, (size_t)units * unit);
    } else if (units > INT_MAX) {
        keep(exchange,
             caucus_fail(CAUCUS_NO_MEMORY, "a letter of %lld units is too long", (long long)units));
    } else {
        keep(exchange, caucus_mpi_status(PMPI_Issend(data, (int)units, exchange->type, to,
                                                     exchange->tag, exchange->attachment->comm,
                                                     &exchange->sends[exchange->sent]),
                                         "MPI_Issend"));
        exchange->sent += exchange->sends[exchange->sent] != MPI_REQUEST_NULL;
    }
}

static void send_all(struct exchange *exchange) {
    const struct caucus_letters *letters = exchange->letters;
    exchange->sends = caucus_array(letters->receivers, sizeof *exchange->sends);
    if (!exchange->sends) {
        keep(exchange, CAUCUS_NO_MEMORY);
        return;
    }
    for (int32_t i = 0; i < letters->receivers; i++)
        exchange->sends[i] = MPI_REQUEST_NULL;
    for (int32_t i = 0; i < letters->receivers; i++)
        send(exchange, letters->to[i],
             (const char *)letters->data + (size_t)letters->begin[i] * letters->unit,
             letters->begin[i + 1] - letters->begin[i]);
}

/* Takes a letter, if one is there. Without memory for it, it is taken all the same: somebody waits
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

static bool is_through(struct exchange *exchange, MPI_Request *barrier) {
    int through = 0;
    if (*barrier != MPI_REQUEST_NULL) {
        keep(exchange,
             caucus_mpi_status(PMPI_Test(barrier, &through, MPI_STATUS_IGNORE), "MPI_Ibarrier"));
        return through;
    }
    keep(exchange, caucus_mpi_status(
                       PMPI_Testall(exchange->sent, exchange->sends, &through, MPI_STATUSES_IGNORE),
                       "MPI_Testall"));
    if (through)
        keep(exchange,
             caucus_mpi_status(PMPI_Ibarrier(exchange->attachment->comm, barrier), "MPI_Ibarrier"));
    return false;
}

int caucus_sparse_exchange(const struct caucus_attachment *attachment, int tag,
                           const struct caucus_letters *letters, bool (*also)(void),
                           void **received, int64_t *count) {
    struct exchange exchange = {.attachment = attachment, .tag = tag, .letters = letters};
    MPI_Request barrier = MPI_REQUEST_NULL;
    int failed = caucus_mpi_status(
        PMPI_Type_contiguous((int)letters->unit, MPI_BYTE, &exchange.type), "MPI_Type_contiguous");
    if (failed)
        return failed;
    PMPI_Type_commit(&exchange.type);
    send_all(&exchange);
    for (int64_t round = 0; !is_through(&exchange, &barrier); round++)
        if (!take(&exchange)) { /* others may wait for what follows before they come here */
            caucus_progress_all();
            if (also)
                also();
            caucus_waiting_pause(attachment->engine, round);
        }
    PMPI_Type_free(&exchange.type);
    free(exchange.sends);
    *received = exchange.inbox;
    *count = exchange.count;
    return exchange.status;
}
