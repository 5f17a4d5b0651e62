/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/duplicates.h"

#include "api/interposition/progress.h"
#include "base/memory.h"
#include "run/progress/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct duplicate {
    MPI_Comm comm;
    MPI_Request request;
};

static struct {
    struct duplicate *of;
    atomic_int count; /* read without the lock */
    pthread_mutex_t lock;
} pending = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Without memory it is as if it had not been seen. */
void caucus_duplicates_add(MPI_Comm comm, MPI_Request request) {
    if (request == MPI_REQUEST_NULL)
        return;
    pthread_mutex_lock(&pending.lock);
    int count = pending.count;
    struct duplicate *longer = realloc(pending.of, (size_t)(count + 1) * sizeof *longer);
    if (longer) {
        pending.of = longer;
        pending.of[count] = (struct duplicate){comm, request};
        pending.count = count + 1;
    }
    pthread_mutex_unlock(&pending.lock);
}

bool caucus_duplicates_any(void) {
    return pending.count > 0;
}

/* Under the lock. */
static int place_of(MPI_Request request) {
    for (int i = 0; i < pending.count; i++)
        if (pending.of[i].request == request)
            return i;
    return -1;
}

MPI_Request *caucus_duplicates_among(int count, const MPI_Request requests[]) {
    bool any = false;
    if (pending.count == 0 || count <= 0 || !requests)
        return NULL;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < count && !any; i++)
        any = place_of(requests[i]) >= 0;
    pthread_mutex_unlock(&pending.lock);
    MPI_Request *copy = any ? caucus_array(count, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, requests, (size_t)count * sizeof *copy);
    return copy;
}

void caucus_duplicates_remove(int count, MPI_Request before[], const MPI_Request after[]) {
    if (!before)
        return;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < count; i++) {
        int at = after[i] == MPI_REQUEST_NULL ? place_of(before[i]) : -1;
        if (at >= 0)
            pending.of[at] = pending.of[--pending.count];
    }
    pthread_mutex_unlock(&pending.lock);
    free(before);
}

static bool is_pending(MPI_Comm comm) {
    bool found = false;
    int complete;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < pending.count && !found; i++)
        if (pending.of[i].comm == comm)
            found = PMPI_Request_get_status(pending.of[i].request, &complete, MPI_STATUS_IGNORE) ==
                        MPI_SUCCESS &&
                    !complete;
    pthread_mutex_unlock(&pending.lock);
    return found;
}

void caucus_duplicates_await(MPI_Comm comm) {
    int looks = 0;
    while (pending.count > 0 && is_pending(comm)) {
        caucus_progress();
        caucus_mixed_pause(&looks);
    }
}
