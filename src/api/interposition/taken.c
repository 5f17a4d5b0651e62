/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/proxies.h"

#include "api/calls/left.h"
#include "api/calls/reasons.h"
#include "api/collective/request.h"
#include "api/collective/runs.h"
#include "api/common/raise.h"
#include "api/interposition/helper.h"
#include "api/interposition/tracked.h"
#include "base/status.h"

static void count(const struct caucus_proxy *proxy) {
    struct caucus_request_object *request = proxy->request;
    bool between = request->context->between;
    if (request->pending) {
        request->counts_for = 1 + (int)proxy->call;
        return;
    }
    const struct caucus_prepared *prepared = request->prepared;
    if (!prepared) /* it failed to begin */
        return;
    if (caucus_call_form(proxy->call) == CAUCUS_FORM_NONBLOCKING)
        caucus_runs_count_both(proxy->call, prepared, between);
    else
        caucus_runs_count_call(proxy->call, prepared, between);
}

int caucus_taken_end(struct caucus_proxy *proxy, int code, MPI_Comm comm, MPI_Request *request) {
    if (!proxy)
        return caucus_raise(comm, NULL, "a collective", CAUCUS_NO_MEMORY);
    if (caucus_call_form(proxy->call) == CAUCUS_FORM_PERSISTENT)
        caucus_tracked_add(comm);
    if (proxy->request == CAUCUS_REQUEST_NULL) {
        if (code == CAUCUS_CALL_REFUSED)
            caucus_call_pass(proxy->call, CAUCUS_REASON_PASSED_BY);
        caucus_proxy_release(proxy);
        return code;
    }
    count(proxy);
    caucus_helper_started();
    *request = proxy->handle;
    return code;
}
