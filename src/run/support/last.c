/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/last.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/keyval.h"

#include <stdbool.h>
#include <stdlib.h>

struct entry {
    MPI_Comm comm;
    void *kept;
    void (*clean_up)(MPI_Comm comm, void *kept);
    struct entry *next;
};

static struct entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* no MPI is called under it */

/* The last one, out of the list. */
static struct entry *take(const void *kept) {
    pthread_mutex_lock(&lock);
    struct entry **at = &entries;
    while (*at && kept && (*at)->kept != kept)
        at = &(*at)->next;
    struct entry *entry = *at;
    if (entry)
        *at = entry->next;
    pthread_mutex_unlock(&lock);
    return entry;
}

static _Atomic bool has_come; /* what is kept from then on is cleaned up behind the others */

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else. */
static int on_finalize(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    has_come = true;
    for (struct entry *entry = take(NULL); entry; entry = take(NULL)) {
        entry->clean_up(entry->comm, entry->kept);
        free(entry);
    }
    return MPI_SUCCESS;
}

static struct caucus_keyval finalizer = CAUCUS_KEYVAL(MPI_COMM_NULL_COPY_FN, on_finalize);

/* Once: to set it again would be to delete what is there. */
static int come_at_finalize(void) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    int status = has_come || caucus_keyval_get(&finalizer, MPI_COMM_SELF)
                     ? CAUCUS_OK
                     : caucus_keyval_set(&finalizer, MPI_COMM_SELF, &finalizer);
    pthread_mutex_unlock(&once);
    return status;
}

/* Not so in a program of sessions, without MPI_COMM_WORLD and MPI_COMM_SELF. */
static bool has_a_world(void) {
    int initialized;
    PMPI_Initialized(&initialized);
    return initialized;
}

static bool must_go(MPI_Comm comm) {
    int inter, relation = MPI_UNEQUAL;
    if (!has_a_world())
        return false;
    PMPI_Comm_test_inter(comm, &inter);
    if (!inter)
        PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    return inter || relation == MPI_IDENT;
}

static int keep(MPI_Comm comm, void *kept, void (*clean_up)(MPI_Comm comm, void *kept)) {
    int status = come_at_finalize();
    struct entry *entry = status ? NULL : caucus_array(1, sizeof *entry);
    if (!entry)
        return status ? status : CAUCUS_NO_MEMORY;
    *entry = (struct entry){comm, kept, clean_up, NULL};
    pthread_mutex_lock(&lock);
    entry->next = entries;
    entries = entry;
    pthread_mutex_unlock(&lock);
    return CAUCUS_OK;
}

int caucus_last_keep(MPI_Comm comm, void *kept, void (*clean_up)(MPI_Comm comm, void *kept)) {
    return must_go(comm) ? keep(comm, kept, clean_up) : CAUCUS_OK;
}

int caucus_last_keep_alone(void *kept, void (*clean_up)(MPI_Comm comm, void *kept)) {
    return has_a_world() ? keep(MPI_COMM_NULL, kept, clean_up) : CAUCUS_UNSUPPORTED;
}

void caucus_last_forget(const void *kept) {
    free(take(kept));
}
