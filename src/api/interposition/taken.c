/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/proxies.h"

#include "api/calls/left.h"
#include "api/calls/reasons.h"
#include "api/collective/calls.h"
#include "api/collective/request.h"
#include "api/collective/runs.h"
#include "api/interposition/helper.h"
#include "api/interposition/tracked.h"

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

caucus_request *caucus_taken_begin(enum caucus_call call, MPI_Comm comm, const void *request,
                                   struct caucus_proxy **proxy) {
    bool persistent = caucus_call_form(call) == CAUCUS_FORM_PERSISTENT;
    bool good = !persistent || caucus_tracked_prepare(comm);
    caucus_refusal_allow(persistent);
    *proxy = good ? caucus_proxy_create(call) : NULL;
    if (!request)
        return NULL;
    return *proxy ? &(*proxy)->request : &caucus_call_no_request;
}

int caucus_taken_end(enum caucus_call call, struct caucus_proxy *proxy, int code, MPI_Comm comm,
                     MPI_Request *request) {
    caucus_refusal_allow(false);
    if (caucus_call_form(call) == CAUCUS_FORM_PERSISTENT)
        caucus_tracked_settle(comm, code == MPI_SUCCESS);
    if (!proxy)
        return code;
    if (proxy->request == CAUCUS_REQUEST_NULL) {
        if (code == CAUCUS_CALL_REFUSED)
            caucus_call_pass(call, CAUCUS_REASON_PASSED_BY);
        caucus_proxy_release(proxy);
        return code;
    }
    count(proxy);
    caucus_helper_started();
    *request = proxy->handle;
    return code;
}
