/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "run/failure.h"
#include "run/group/alive_room.h"
#include "run/mpi_status.h"

#include <stdlib.h>
#include <string.h>

enum { KEY = (int)sizeof(struct caucus_alive_key) };

static struct caucus_alive_letter *make(int64_t length) {
    struct caucus_alive_letter *letter =
        caucus_array((int64_t)sizeof *letter + (length > 0 ? length : 0), 1);
    if (letter)
        letter->length = (int)length;
    return letter;
}

int caucus_alive_send(struct caucus_alive_room *room, int rank, const struct caucus_alive_key *key,
                      const void *bytes, int64_t length) {
    struct caucus_alive_letter *letter = make(length);
    if (!letter)
        return CAUCUS_NO_MEMORY;
    letter->rank = rank;
    letter->key = *key;
    memcpy(letter->bytes, bytes, (size_t)length);
    int code = PMPI_Isend(&letter->key, KEY + letter->length, MPI_BYTE, rank, room->tag,
                          room->hub->attachment->comm, &letter->request);
    if (code != MPI_SUCCESS) {
        free(letter);
        return caucus_failure_is(code) ? CAUCUS_OK : caucus_mpi_status(code, "MPI_Isend");
    }
    letter->next = room->sending;
    room->sending = letter;
    return CAUCUS_OK;
}

/* What fails was for someone who is dead. */
void caucus_alive_sweep(struct caucus_alive_room *room) {
    for (struct caucus_alive_letter **at = &room->sending; *at;) {
        struct caucus_alive_letter *letter = *at;
        int sent = 0;
        if (PMPI_Test(&letter->request, &sent, MPI_STATUS_IGNORE) == MPI_SUCCESS && !sent) {
            at = &letter->next;
        } else {
            *at = letter->next;
            free(letter);
        }
    }
}

static int read_letter(MPI_Message *matched, const MPI_Status *from,
                       struct caucus_alive_letter **taken) {
    int length = 0;
    PMPI_Get_count(from, MPI_BYTE, &length);
    struct caucus_alive_letter *letter = make(length - KEY);
    if (!letter)
        return CAUCUS_NO_MEMORY; /* it is lost, and the others will not wait for ever */
    letter->rank = from->MPI_SOURCE;
    letter->since = PMPI_Wtime();
    int code = PMPI_Mrecv(&letter->key, length, MPI_BYTE, matched, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) {
        *taken = letter;
        return CAUCUS_OK;
    }
    free(letter);
    return caucus_failure_is(code) ? CAUCUS_OK : caucus_mpi_status(code, "MPI_Mrecv");
}

int caucus_alive_receive(struct caucus_alive_room *room, struct caucus_alive_letter **letter) {
    MPI_Message matched;
    MPI_Status from;
    bool found;
    *letter = NULL;
    int status =
        caucus_failure_probe(room->hub->attachment->comm, room->tag, &found, &matched, &from);
    if (!status && found) {
        room->received++;
        status = read_letter(&matched, &from, letter);
    }
    return status;
}
