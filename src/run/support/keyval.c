/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/keyval.h"

#include "base/status.h"
#include "run/support/foreign.h"
#include "run/support/mpi_status.h"

#include <stdatomic.h>
#include <stddef.h>

static int make(struct caucus_keyval *keyval) {
    int status = CAUCUS_OK, number = MPI_KEYVAL_INVALID;
    pthread_mutex_lock(&keyval->lock);
    if (keyval->number == MPI_KEYVAL_INVALID) {
        status = caucus_mpi_status(
            PMPI_Comm_create_keyval(keyval->copy, keyval->release, &number, keyval),
            "MPI_Comm_create_keyval");
        if (!status)
            keyval->number = number;
    }
    pthread_mutex_unlock(&keyval->lock);
    return status;
}

int caucus_keyval_set(struct caucus_keyval *keyval, MPI_Comm comm, void *value) {
    keyval->held++; /* first, so that nobody frees the key meanwhile */
    int status = make(keyval);
    if (!status)
        status =
            caucus_mpi_status(PMPI_Comm_set_attr(comm, keyval->number, value), "MPI_Comm_set_attr");
    if (status)
        keyval->held--;
    return status;
}

void *caucus_keyval_get(struct caucus_keyval *keyval, MPI_Comm comm) {
    void *value;
    int found = 0, number = keyval->number;
    if (number == MPI_KEYVAL_INVALID) {
        caucus_mpi_insist(); /* here the first calls come */
        return NULL;
    }
    if (PMPI_Comm_get_attr(comm, number, &value, &found) != MPI_SUCCESS)
        return NULL;
    return found ? value : NULL;
}

void caucus_keyval_delete(struct caucus_keyval *keyval, MPI_Comm comm) {
    if (caucus_keyval_get(keyval, comm))
        PMPI_Comm_delete_attr(comm, keyval->number);
}

void caucus_keyval_copied(struct caucus_keyval *keyval) {
    keyval->held++;
}

/* In a program of sessions MPI may end and begin again, and keys do not live on: they go with the
 * last communicator that such a program must free before. */
void caucus_keyval_deleted(struct caucus_keyval *keyval) {
    int initialized;
    PMPI_Initialized(&initialized);
    if (--keyval->held > 0 || initialized)
        return;
    int number = atomic_exchange(&keyval->number, MPI_KEYVAL_INVALID);
    if (number != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&number);
}

int caucus_keyval_drop(MPI_Comm comm, int number, void *value, void *extra) {
    struct caucus_keyval *keyval = extra;
    (void)number;
    if (keyval->drop)
        keyval->drop(comm, value);
    caucus_keyval_deleted(keyval);
    return MPI_SUCCESS;
}
