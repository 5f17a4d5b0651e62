/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/mixed.h"

#include "api/collective/request.h"
#include "api/common/raise.h"
#include "api/interposition/proxies.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/progress/progress.h"

int caucus_get_status_natives(const char *function, int count, const MPI_Request requests[],
                              MPI_Request **natives) {
    *natives = NULL;
    caucus_progress(); /* ours may be at rest, and others not */
    if (count <= 0 || !requests || !caucus_proxy_among(count, requests))
        return MPI_SUCCESS;
    MPI_Request *made = caucus_array(count, sizeof *made);
    if (!made)
        return caucus_raise(MPI_COMM_SELF, NULL, function, CAUCUS_NO_MEMORY);
    for (int i = 0; i < count; i++)
        made[i] = caucus_proxy_find(requests[i]) ? MPI_REQUEST_NULL : requests[i];
    *natives = made;
    return MPI_SUCCESS;
}

/* Whether it is ours and active, and whether it is complete then. */
static bool is_active(MPI_Request request, bool *complete, bool *moved) {
    const struct caucus_proxy *ours = caucus_proxy_find(request);
    if (!ours || !caucus_request_is_active(ours->request))
        return false;
    *complete = caucus_request_look(ours->request, moved);
    return true;
}

void caucus_get_status_all(int count, const MPI_Request requests[], int *flag) {
    bool complete, moved = false;
    for (int i = 0; i < count; i++)
        if (is_active(requests[i], &complete, &moved) && !complete)
            *flag = 0;
}

void caucus_get_status_any(int count, const MPI_Request requests[], int *index, int *flag,
                           MPI_Status *status) {
    bool any = false, complete, moved = false;
    if (*flag && *index != MPI_UNDEFINED)
        return;
    for (int i = 0; i < count; i++) {
        if (!is_active(requests[i], &complete, &moved))
            continue;
        any = true;
        if (!complete)
            continue;
        *index = i;
        *flag = 1;
        caucus_status_clear(status);
        return;
    }
    if (any)
        *flag = 0;
}

void caucus_get_status_some(int count, const MPI_Request requests[], int *completed, int indices[],
                            MPI_Status statuses[]) {
    bool complete, moved = false;
    for (int i = 0; i < count; i++) {
        if (!is_active(requests[i], &complete, &moved))
            continue;
        if (*completed == MPI_UNDEFINED)
            *completed = 0;
        if (!complete)
            continue;
        if (statuses != MPI_STATUSES_IGNORE)
            caucus_status_clear(&statuses[*completed]);
        indices[(*completed)++] = i;
    }
}
