/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of mixed.h that take an array of requests. */
#include "api/collective/requests.h"
#include "api/mixed/look.h"
#include "api/mixed/mixed.h"
#include "api/mixed/progress.h"
#include "api/raise.h"
#include "base/status.h"

#include <stddef.h>

static bool has_ours(int count, const MPI_Request requests[]) {
    return requests && caucus_proxy_among(count, requests);
}

static int no_memory(const char *function) {
    return caucus_raise(MPI_COMM_SELF, NULL, function, CAUCUS_NO_MEMORY);
}

/* Between two looks of a wait; ours fail where it lasts too long. */
static void pass_time(struct caucus_split *split) {
    caucus_mixed_progress();
    caucus_mixed_pause(&split->looks);
    for (int i = 0; i < split->count && split->looks % CAUCUS_ROUNDS_PER_CLOCK == 0; i++)
        if (split->ours[i] && caucus_request_is_active(split->ours[i]->request))
            caucus_request_limit(split->ours[i]->request, &split->begin);
}

static int wait_for_natives(int count, MPI_Request requests[], MPI_Status statuses[]) {
    int flag = 0, looks = 0;
    while (caucus_mixed_progress()) {
        int code = PMPI_Testall(count, requests, &flag, statuses);
        if (code != MPI_SUCCESS || flag)
            return code;
        caucus_mixed_pause(&looks);
    }
    return PMPI_Waitall(count, requests, statuses);
}

int caucus_mixed_waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    struct caucus_split split;
    if (!has_ours(count, requests))
        return wait_for_natives(count, requests, statuses);
    if (caucus_split_begin(&split, count, requests))
        return no_memory("MPI_Waitall");
    int flag = 0, code;
    while ((code = caucus_look_natives(&split, &flag)) == MPI_SUCCESS && !flag)
        pass_time(&split);
    code = caucus_look_end(&split, code, statuses);
    caucus_split_end(&split);
    return code;
}

int caucus_mixed_testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    struct caucus_split split;
    int code = MPI_SUCCESS;
    if (!has_ours(count, requests)) {
        caucus_mixed_progress();
        return PMPI_Testall(count, requests, flag, statuses);
    }
    if (caucus_split_begin(&split, count, requests))
        return no_memory("MPI_Testall");
    *flag = caucus_look_at_ours(&split);
    if (*flag)
        code = caucus_look_natives(&split, flag);
    if (*flag || code != MPI_SUCCESS)
        code = caucus_look_end(&split, code, statuses);
    caucus_split_end(&split);
    return code;
}

static int wait_for_any_native(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    int flag = 0, looks = 0;
    while (caucus_mixed_progress()) {
        int code = PMPI_Testany(count, requests, index, &flag, status);
        if (code != MPI_SUCCESS || flag)
            return code;
        caucus_mixed_pause(&looks);
    }
    return PMPI_Waitany(count, requests, index, status);
}

int caucus_mixed_waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    struct caucus_split split;
    if (!has_ours(count, requests))
        return wait_for_any_native(count, requests, index, status);
    if (caucus_split_begin(&split, count, requests))
        return no_memory("MPI_Waitany");
    int flag = 0, code;
    while ((code = caucus_look_any(&split, index, &flag, status)) == MPI_SUCCESS && !flag)
        pass_time(&split);
    caucus_split_end(&split);
    return code;
}

int caucus_mixed_testany(int count, MPI_Request requests[], int *index, int *flag,
                         MPI_Status *status) {
    struct caucus_split split;
    if (!has_ours(count, requests)) {
        caucus_mixed_progress();
        return PMPI_Testany(count, requests, index, flag, status);
    }
    if (caucus_split_begin(&split, count, requests))
        return no_memory("MPI_Testany");
    int code = caucus_look_any(&split, index, flag, status);
    caucus_split_end(&split);
    return code;
}

static int wait_for_some_natives(int count, MPI_Request requests[], int *completed, int indices[],
                                 MPI_Status statuses[]) {
    int looks = 0;
    while (caucus_mixed_progress()) {
        int code = PMPI_Testsome(count, requests, completed, indices, statuses);
        if (code != MPI_SUCCESS || *completed != 0)
            return code;
        caucus_mixed_pause(&looks);
    }
    return PMPI_Waitsome(count, requests, completed, indices, statuses);
}

int caucus_mixed_waitsome(int count, MPI_Request requests[], int *completed, int indices[],
                          MPI_Status statuses[]) {
    struct caucus_split split;
    if (!has_ours(count, requests))
        return wait_for_some_natives(count, requests, completed, indices, statuses);
    if (caucus_split_begin(&split, count, requests))
        return no_memory("MPI_Waitsome");
    int code;
    while ((code = caucus_look_some(&split, completed, indices, statuses)) == MPI_SUCCESS &&
           *completed == 0)
        pass_time(&split);
    caucus_split_end(&split);
    return code;
}

int caucus_mixed_testsome(int count, MPI_Request requests[], int *completed, int indices[],
                          MPI_Status statuses[]) {
    struct caucus_split split;
    if (!has_ours(count, requests)) {
        caucus_mixed_progress();
        return PMPI_Testsome(count, requests, completed, indices, statuses);
    }
    if (caucus_split_begin(&split, count, requests))
        return no_memory("MPI_Testsome");
    int code = caucus_look_some(&split, completed, indices, statuses);
    caucus_split_end(&split);
    return code;
}
