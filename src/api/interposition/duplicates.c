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
    bool held; /* by a call that may complete it: nobody else may look at the request */
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
        pending.of[count] = (struct duplicate){comm, request, false};
        pending.count = count + 1;
    }
    pthread_mutex_unlock(&pending.lock);
}

bool caucus_duplicates_any(void) {
    return pending.count > 0;
}

/* Under the lock, as take_out. What is held may be over, and MPI have given its handle again. */
static int place_of(MPI_Request request, bool held) {
    for (int i = 0; i < pending.count; i++)
        if (pending.of[i].request == request && pending.of[i].held == held)
            return i;
    return -1;
}

static void take_out(int at) {
    pending.of[at] = pending.of[--pending.count];
}

/* Another thread's call may free a request: then it tells. */
static bool is_complete(const struct duplicate *duplicate) {
    int complete = 0;
    return !duplicate->held && (PMPI_Request_get_status(duplicate->request, &complete,
                                                        MPI_STATUS_IGNORE) != MPI_SUCCESS ||
                                complete);
}

/* What is complete is not held, for a loop of tests may last as long as a wait. Without memory it
 * is as if they had not been seen, too. */
MPI_Request *caucus_duplicates_among(int count, const MPI_Request requests[]) {
    MPI_Request *copy = NULL;
    if (pending.count == 0 || count <= 0 || !requests)
        return NULL;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < count; i++) {
        int at = place_of(requests[i], false);
        bool runs = at >= 0 && !is_complete(&pending.of[at]);
        if (runs && !copy)
            copy = caucus_array(count, sizeof *copy);
        if (runs && copy)
            pending.of[at].held = true;
        else if (at >= 0)
            take_out(at);
    }
    pthread_mutex_unlock(&pending.lock);
    if (copy)
        memcpy(copy, requests, (size_t)count * sizeof *copy);
    return copy;
}

void caucus_duplicates_remove(int count, MPI_Request before[], const MPI_Request after[]) {
    if (!before)
        return;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < count; i++) {
        int at = place_of(before[i], true);
        if (at >= 0 && after[i] == MPI_REQUEST_NULL)
            take_out(at);
        else if (at >= 0)
            pending.of[at].held = false;
    }
    pthread_mutex_unlock(&pending.lock);
    free(before);
}

static bool is_pending(MPI_Comm comm) {
    bool found = false;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < pending.count && !found; i++)
        found = pending.of[i].comm == comm && !is_complete(&pending.of[i]);
    pthread_mutex_unlock(&pending.lock);
    return found;
}

static void pass_time(int *looks) {
    caucus_progress();
    caucus_mixed_pause(looks);
}

void caucus_duplicates_await(MPI_Comm comm) {
    int looks = 0;
    while (pending.count > 0 && is_pending(comm))
        pass_time(&looks);
}

static bool any_is_incomplete(int count, const MPI_Request requests[]) {
    bool found = false;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < count && !found; i++) {
        int at = place_of(requests[i], false);
        found = at >= 0 && !is_complete(&pending.of[at]);
        if (at >= 0 && !found)
            take_out(at);
    }
    pthread_mutex_unlock(&pending.lock);
    return found;
}

void caucus_duplicates_complete(int count, const MPI_Request requests[]) {
    int looks = 0;
    while (pending.count > 0 && requests && any_is_incomplete(count, requests))
        pass_time(&looks);
}
