/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of mixed.h that take one request. */
#include "api/collective/request.h"
#include "api/collective/runs.h"
#include "api/common/raise.h"
#include "api/interposition/helper.h"
#include "api/interposition/mixed.h"
#include "api/interposition/progress.h"
#include "api/interposition/proxies.h"
#include "base/status.h"
#include "run/progress/progress.h"

static struct caucus_proxy *find(const MPI_Request *request) {
    return request ? caucus_proxy_find(*request) : NULL;
}

bool caucus_mixed_start(MPI_Request *request, int *code) {
    struct caucus_proxy *ours = find(request);
    if (!ours)
        return false;
    *code = caucus_start(&ours->request);
    if (*code == MPI_SUCCESS)
        caucus_runs_count_run(ours->call, ours->request->prepared);
    caucus_helper_started();
    return true;
}

int caucus_mixed_wait(MPI_Request *request, MPI_Status *status) {
    struct caucus_proxy *ours = find(request);
    int flag = 0, looks = 0;
    if (ours) {
        int code = caucus_wait(&ours->request, status);
        caucus_proxy_completed(ours, request);
        return code;
    }
    while (caucus_progress() > 0) {
        int code = PMPI_Test(request, &flag, status);
        if (code != MPI_SUCCESS || flag)
            return code;
        caucus_mixed_pause(&looks);
    }
    caucus_helper_enter();
    int code = PMPI_Wait(request, status);
    caucus_helper_leave();
    return code;
}

int caucus_mixed_test(MPI_Request *request, int *flag, MPI_Status *status) {
    struct caucus_proxy *ours = find(request);
    if (!ours) {
        caucus_progress();
        return PMPI_Test(request, flag, status);
    }
    int code = caucus_test(&ours->request, flag, status);
    caucus_proxy_completed(ours, request);
    return code;
}

int caucus_mixed_request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    const struct caucus_proxy *ours = caucus_proxy_find(request);
    if (ours)
        return caucus_request_get_status(ours->request, flag, status);
    caucus_progress();
    return PMPI_Request_get_status(request, flag, status);
}

int caucus_mixed_request_free(MPI_Request *request) {
    struct caucus_proxy *ours = find(request);
    if (!ours)
        return PMPI_Request_free(request);
    int code = caucus_request_free(&ours->request);
    caucus_proxy_completed(ours, request);
    return code;
}

int caucus_mixed_cancel(MPI_Request *request) {
    if (!find(request))
        return PMPI_Cancel(request);
    int status = caucus_fail(CAUCUS_BAD_REQUEST,
                             "the request is that of a collective, which can't be cancelled");
    return caucus_raise(MPI_COMM_SELF, NULL, "MPI_Cancel", status);
}
