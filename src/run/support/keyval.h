/* SPDX-License-Identifier: BSD-3-Clause */
/* An attribute key of communicators, made when it is needed, whatever thread comes first. */
#ifndef CAUCUS_RUN_SUPPORT_KEYVAL_H
#define CAUCUS_RUN_SUPPORT_KEYVAL_H

#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

struct caucus_keyval {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *release;
    pthread_mutex_t lock; /* never taken within a callback, where MPI may hold a lock of its own */
    _Atomic uint64_t key; /* MPI's number, and in the lower half by how many it is held */
    void (*drop)(MPI_Comm comm, void *value);
};

#define CAUCUS_KEYVAL_NONE ((uint64_t)(uint32_t)MPI_KEYVAL_INVALID << 32)

#define CAUCUS_KEYVAL(on_copy, on_release)                                                         \
    {.copy = (on_copy),                                                                            \
     .release = (on_release),                                                                      \
     .lock = PTHREAD_MUTEX_INITIALIZER,                                                            \
     .key = CAUCUS_KEYVAL_NONE}

/* The same where what is kept is never copied: on_drop, if it is not NULL, is called when it goes.
 */
#define CAUCUS_KEYVAL_DROPPED(on_drop)                                                             \
    {.copy = MPI_COMM_NULL_COPY_FN,                                                                \
     .release = caucus_keyval_drop,                                                                \
     .lock = PTHREAD_MUTEX_INITIALIZER,                                                            \
     .key = CAUCUS_KEYVAL_NONE,                                                                    \
     .drop = (on_drop)}

MPI_Comm_delete_attr_function caucus_keyval_drop;

/* Keeps value, which is not NULL, with comm, where nothing is kept yet. */
int caucus_keyval_set(struct caucus_keyval *keyval, MPI_Comm comm, void *value);

/* What is kept with comm, or NULL. */
void *caucus_keyval_get(struct caucus_keyval *keyval, MPI_Comm comm);

/* Has what is kept with comm deleted. */
void caucus_keyval_delete(struct caucus_keyval *keyval, MPI_Comm comm);

/* For the callbacks: one more communicator, or one less, has something under the key. */
void caucus_keyval_copied(struct caucus_keyval *keyval);
void caucus_keyval_deleted(struct caucus_keyval *keyval);

#endif
