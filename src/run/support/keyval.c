/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/keyval.h"

#include "base/status.h"
#include "run/support/foreign.h"
#include "run/support/mpi_status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static int number_of(uint64_t key) {
    return (int)(uint32_t)(key >> 32);
}

/* One more holds the key, which nobody frees then: its number, or MPI_KEYVAL_INVALID where there is
 * none. */
static int hold(struct caucus_keyval *keyval) {
    uint64_t key = keyval->key;
    while (key != CAUCUS_KEYVAL_NONE)
        if (atomic_compare_exchange_weak(&keyval->key, &key, key + 1))
            return number_of(key);
    return MPI_KEYVAL_INVALID;
}

/* In a program of sessions MPI may end and begin again, and keys do not live on: they go with the
 * last communicator that such a program must free before. */
static bool keys_stay(void) {
    static atomic_bool known;
    int initialized = atomic_load_explicit(&known, memory_order_relaxed);
    if (!initialized) {
        PMPI_Initialized(&initialized);
        atomic_store_explicit(&known, initialized, memory_order_relaxed);
    }
    return initialized;
}

static bool goes_without(uint64_t key) {
    return (uint32_t)key <= 1 && !keys_stay();
}

static void let_go(struct caucus_keyval *keyval) {
    uint64_t key = keyval->key, left;
    do
        left = goes_without(key) ? CAUCUS_KEYVAL_NONE : key - 1;
    while (!atomic_compare_exchange_weak(&keyval->key, &key, left));
    int number = number_of(key);
    if (left == CAUCUS_KEYVAL_NONE)
        PMPI_Comm_free_keyval(&number);
}

/* The same as hold, where there may be none yet. */
static int hold_or_make(struct caucus_keyval *keyval, int *number) {
    int status = CAUCUS_OK;
    pthread_mutex_lock(&keyval->lock);
    *number = hold(keyval);
    if (*number == MPI_KEYVAL_INVALID) {
        status = caucus_mpi_status(
            PMPI_Comm_create_keyval(keyval->copy, keyval->release, number, keyval),
            "MPI_Comm_create_keyval");
        if (!status)
            keyval->key = ((uint64_t)(uint32_t)*number << 32) + 1;
    }
    pthread_mutex_unlock(&keyval->lock);
    return status;
}

int caucus_keyval_set(struct caucus_keyval *keyval, MPI_Comm comm, void *value) {
    int number, status = hold_or_make(keyval, &number);
    if (status)
        return status;
    status = caucus_mpi_status(PMPI_Comm_set_attr(comm, number, value), "MPI_Comm_set_attr");
    if (status)
        let_go(keyval);
    return status;
}

void *caucus_keyval_get(struct caucus_keyval *keyval, MPI_Comm comm) {
    const bool stays = keys_stay();
    void *value;
    int found = 0, number = stays ? number_of(keyval->key) : hold(keyval);
    if (number == MPI_KEYVAL_INVALID) {
        caucus_mpi_insist(); /* here the first calls come */
        return NULL;
    }
    if (PMPI_Comm_get_attr(comm, number, &value, &found) != MPI_SUCCESS)
        found = 0;
    if (!stays)
        let_go(keyval);
    return found ? value : NULL;
}

void caucus_keyval_delete(struct caucus_keyval *keyval, MPI_Comm comm) {
    if (caucus_keyval_get(keyval, comm))
        PMPI_Comm_delete_attr(comm, number_of(keyval->key));
}

void caucus_keyval_copied(struct caucus_keyval *keyval) {
    hold(keyval);
}

void caucus_keyval_deleted(struct caucus_keyval *keyval) {
    let_go(keyval);
}

int caucus_keyval_drop(MPI_Comm comm, int number, void *value, void *extra) {
    struct caucus_keyval *keyval = extra;
    (void)number;
    if (keyval->drop)
        keyval->drop(comm, value);
    caucus_keyval_deleted(keyval);
    return MPI_SUCCESS;
}
