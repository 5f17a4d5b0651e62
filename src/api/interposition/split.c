/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/split.h"

#include "api/collective/request.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

static int reserve(struct caucus_split *split) {
    size_t count = (size_t)split->count;
    size_t one = sizeof *split->natives + sizeof(struct caucus_proxy *) + sizeof *split->statuses +
                 sizeof *split->indices;
    split->allocated = NULL;
    if (count <= CAUCUS_SPLIT_INLINE) {
        split->natives = split->few_natives;
        split->ours = split->few_ours;
        split->statuses = split->few_statuses;
        split->indices = split->few_indices;
        return CAUCUS_OK;
    }
    split->allocated = caucus_array((int64_t)split->count + 1, one);
    if (!split->allocated)
        return CAUCUS_NO_MEMORY;
    split->ours = split->allocated; /* the strictest alignment first */
    split->natives = (MPI_Request *)(void *)(split->ours + count);
    split->statuses = (MPI_Status *)(void *)(split->natives + (count + 1) / 2 * 2);
    split->indices = (int *)(void *)(split->statuses + count);
    return CAUCUS_OK;
}

int caucus_split_begin(struct caucus_split *split, int count, MPI_Request handles[]) {
    split->count = count;
    split->handles = handles;
    split->native_count = 0;
    split->looks = 0;
    split->begin = 0;
    int status = reserve(split);
    for (int i = 0; !status && i < count; i++) {
        split->ours[i] = caucus_proxy_find(handles[i]);
        split->natives[i] = split->ours[i] ? MPI_REQUEST_NULL : handles[i];
        split->native_count += split->natives[i] != MPI_REQUEST_NULL;
    }
    return status;
}

bool caucus_split_moves_others(const struct caucus_split *split) {
    for (int i = 0; i < split->count; i++) {
        const struct caucus_proxy *ours = split->ours[i];
        if (ours && caucus_request_is_active(ours->request) && !ours->request->complete)
            return true;
    }
    return false;
}

void caucus_split_end(struct caucus_split *split) {
    for (int i = 0; i < split->count; i++)
        if (!split->ours[i])
            split->handles[i] = split->natives[i];
    free(split->allocated);
}
