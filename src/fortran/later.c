/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/glue.h"

#include "api/common/raise.h"
#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct later {
    MPI_Comm comm; /* the first member: its address is what callers have */
    MPI_Fint *given;
    struct later *next;
};

static struct later *all;
static atomic_int many;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

MPI_Comm *caucus_f_comm_later(MPI_Fint *given, const char *function) {
    struct later *later = malloc(sizeof *later);
    if (!later) {
        caucus_raise(MPI_COMM_SELF, NULL, function,
                     caucus_fail(CAUCUS_NO_MEMORY, "no memory for what is to come"));
        return NULL;
    }
    *given = MPI_Comm_c2f(MPI_COMM_NULL);
    later->comm = MPI_COMM_NULL;
    later->given = given;
    pthread_mutex_lock(&lock);
    later->next = all;
    all = later;
    many++;
    pthread_mutex_unlock(&lock);
    return &later->comm;
}

static void take_out(struct later **link) {
    struct later *gone = *link;
    *link = gone->next;
    many--;
    free(gone);
}

void caucus_f_comm_never(MPI_Comm *comm) {
    pthread_mutex_lock(&lock);
    for (struct later **link = &all; *link; link = &(*link)->next)
        if (&(*link)->comm == comm) {
            take_out(link);
            break;
        }
    pthread_mutex_unlock(&lock);
}

void caucus_f_comms_come(void) {
    if (!many)
        return;
    pthread_mutex_lock(&lock);
    for (struct later **link = &all; *link;) {
        if ((*link)->comm == MPI_COMM_NULL) {
            link = &(*link)->next;
            continue;
        }
        *(*link)->given = MPI_Comm_c2f((*link)->comm);
        take_out(link);
    }
    pthread_mutex_unlock(&lock);
}
