/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/split.h"

#include "api/collective/request.h"

static int class_of(int code) {
    int class = MPI_ERR_UNKNOWN;
    PMPI_Error_class(code, &class);
    return class;
}

/* The field MPI_ERROR belongs to the user unless MPI_ERR_IN_STATUS is returned, or the status is
 * the empty one. */
static void give(MPI_Status *statuses, int index, const MPI_Status *status, bool with_error) {
    if (statuses == MPI_STATUSES_IGNORE)
        return;
    int kept = statuses[index].MPI_ERROR;
    statuses[index] = *status;
    if (!with_error)
        statuses[index].MPI_ERROR = kept;
}

/* After one of ours may have ended: its handle goes with it. */
static void forget_if_gone(struct caucus_split *split, int i) {
    struct caucus_proxy *ours = split->ours[i];
    if (ours->request != CAUCUS_REQUEST_NULL)
        return;
    caucus_proxy_completed(ours, &split->handles[i]);
    split->natives[i] = MPI_REQUEST_NULL;
    split->ours[i] = NULL;
}

/* Ends one of ours if it is complete. */
static int end_one(struct caucus_split *split, int i, bool *moved, int *flag, MPI_Status *status) {
    caucus_request_advance_among(split->ours[i]->request, moved);
    *flag = split->ours[i]->request->complete;
    if (!*flag)
        return MPI_SUCCESS;
    int code = caucus_test(&split->ours[i]->request, flag, status);
    forget_if_gone(split, i);
    return code;
}

static bool is_active(const struct caucus_split *split, int i) {
    return split->ours[i] && caucus_request_is_active(split->ours[i]->request);
}

int caucus_split_test_any(struct caucus_split *split, int *index, int *flag, MPI_Status *status) {
    int active = 0, code = MPI_SUCCESS;
    bool moved = false;
    for (int i = 0; i < split->count; i++) {
        if (!is_active(split, i))
            continue;
        code = end_one(split, i, &moved, flag, status);
        if (*flag) {
            *index = i;
            return code;
        }
        active++;
    }
    *index = MPI_UNDEFINED;
    *flag = 1;
    if (split->native_count > 0)
        code = PMPI_Testany(split->count, split->natives, index, flag, status);
    else if (active == 0)
        caucus_status_clear(status);
    if (active > 0 && *flag && *index == MPI_UNDEFINED)
        *flag = 0; /* no native one is active, but one of ours is */
    return code;
}

/* Takes the native ones that are complete into the lists. */
static int some_natives(struct caucus_split *split, int *completed, int indices[],
                        MPI_Status statuses[], bool *any) {
    int natives = MPI_UNDEFINED;
    if (split->native_count == 0)
        return MPI_SUCCESS;
    int code =
        PMPI_Testsome(split->count, split->natives, &natives, split->indices, split->statuses);
    if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS)
        return code;
    *any = natives != MPI_UNDEFINED;
    for (int i = 0; *any && i < natives; i++) {
        give(statuses, *completed, &split->statuses[i], code != MPI_SUCCESS);
        indices[(*completed)++] = split->indices[i];
    }
    return code;
}

/* Takes ours that are complete into the lists; whether any failed. */
static bool some_ours(struct caucus_split *split, int *completed, int indices[],
                      MPI_Status statuses[], bool *any) {
    bool failed = false, moved = false;
    for (int i = 0; i < split->count; i++) {
        MPI_Status status;
        int flag;
        if (!is_active(split, i))
            continue;
        *any = true;
        int error = end_one(split, i, &moved, &flag, &status);
        if (!flag)
            continue;
        failed |= error != MPI_SUCCESS;
        status.MPI_ERROR = class_of(error);
        give(statuses, *completed, &status, true);
        indices[(*completed)++] = i;
    }
    return failed;
}

int caucus_split_test_some(struct caucus_split *split, int *completed, int indices[],
                           MPI_Status statuses[]) {
    bool any = false;
    *completed = 0;
    int code = some_natives(split, completed, indices, statuses, &any);
    if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS)
        return code;
    int natives = *completed;
    bool failed = some_ours(split, completed, indices, statuses, &any);
    if (failed && code == MPI_SUCCESS) {
        for (int i = 0; i < natives && statuses != MPI_STATUSES_IGNORE; i++)
            statuses[i].MPI_ERROR = MPI_SUCCESS;
        code = MPI_ERR_IN_STATUS;
    }
    if (!any)
        *completed = MPI_UNDEFINED;
    return code;
}

/* Their outcome is in the split then. */
static int test_natives(struct caucus_split *split, int *flag) {
    *flag = 1;
    return split->native_count == 0
               ? MPI_SUCCESS
               : PMPI_Testall(split->count, split->natives, flag, split->statuses);
}

/* Without ending any. moved: all have just been moved on. */
static bool test_ours(const struct caucus_split *split, bool moved, bool *failed) {
    bool all = true;
    *failed = false;
    for (int i = 0; i < split->count; i++)
        if (is_active(split, i)) {
            struct caucus_request_object *request = split->ours[i]->request;
            caucus_request_advance_among(request, &moved);
            all = all && request->complete;
            *failed = *failed || (request->complete && request->status);
        }
    return all;
}

/* After one of ours has failed: others may never come to be complete, and stay. */
static void end_natives(struct caucus_split *split) {
    for (int i = 0; i < split->count; i++) {
        int flag = 0;
        if (split->ours[i])
            continue;
        caucus_status_clear(&split->statuses[i]);
        int code = PMPI_Test(&split->natives[i], &flag, &split->statuses[i]);
        split->statuses[i].MPI_ERROR =
            flag || code != MPI_SUCCESS ? class_of(code) : MPI_ERR_PENDING;
    }
}

/* Ends one of ours; after a failure that others may wait for in vain, only if it is complete. */
static int end_with_all(struct caucus_split *split, int i, bool may_wait) {
    MPI_Status *status = &split->statuses[i];
    caucus_request *request = &split->ours[i]->request;
    int flag = 1;
    caucus_status_clear(status);
    int code = may_wait ? caucus_wait(request, status) : caucus_test(request, &flag, status);
    forget_if_gone(split, i);
    return flag ? class_of(code) : MPI_ERR_PENDING;
}

/* Ends all: waits for ours, unless some have failed, of which code tells. */
static int end_requests(struct caucus_split *split, int code, MPI_Status statuses[]) {
    bool had_failed = code != MPI_SUCCESS, failed = had_failed;
    if (had_failed && class_of(code) != MPI_ERR_IN_STATUS)
        return code;
    for (int i = 0; i < split->count; i++) {
        split->indices[i] = split->ours[i] != NULL;
        if (split->ours[i]) {
            int error = end_with_all(split, i, !had_failed);
            split->statuses[i].MPI_ERROR = error;
            failed |= error != MPI_SUCCESS;
        } else if (split->native_count == 0) {
            caucus_status_clear(&split->statuses[i]);
        }
    }
    for (int i = 0; i < split->count; i++) {
        if (!split->indices[i] && !had_failed)
            split->statuses[i].MPI_ERROR = MPI_SUCCESS;
        give(statuses, i, &split->statuses[i], failed || split->indices[i]);
    }
    return !failed ? MPI_SUCCESS : had_failed ? code : MPI_ERR_IN_STATUS;
}

int caucus_split_test_all(struct caucus_split *split, bool may_wait, int *flag,
                          MPI_Status statuses[]) {
    int code = MPI_SUCCESS;
    bool failed, all = test_ours(split, may_wait, &failed);
    *flag = may_wait || all;
    if (*flag)
        code = test_natives(split, flag);
    if (failed && !*flag && code == MPI_SUCCESS) {
        end_natives(split);
        code = MPI_ERR_IN_STATUS;
    }
    return *flag || code != MPI_SUCCESS ? end_requests(split, code, statuses) : code;
}
