/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of caucus/request.h: for one request. */
#include "api/collective/request.h"
#include "api/common/raise.h"
#include "base/status.h"

void caucus_status_clear(MPI_Status *status) {
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
}

int caucus_request_raise(const struct caucus_request_object *request, const char *function,
                         int status) {
    return caucus_context_raise(request ? request->context : NULL, false, function, status);
}

bool caucus_request_is_active(caucus_request request) {
    return request && request->active;
}

static int check_pointer(const void *pointer, const char *name) {
    return pointer ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_REQUEST, "%s is a null pointer", name);
}

int caucus_request_check_start(caucus_request request) {
    if (!request)
        return caucus_fail(CAUCUS_BAD_REQUEST, "the request is CAUCUS_REQUEST_NULL");
    if (!request->persistent)
        return caucus_fail(CAUCUS_BAD_REQUEST,
                           "the request is not persistent: it has begun when it was made");
    if (request->active)
        return caucus_fail(CAUCUS_BAD_REQUEST,
                           "the request (%s) is active: it must be complete before it starts again",
                           request->prepared->name);
    return CAUCUS_OK;
}

int caucus_request_begin(caucus_request request) {
    int status = caucus_execution_start(request->prepared->execution);
    request->active = !status;
    return status;
}

int caucus_start(caucus_request *request) {
    int status = check_pointer(request, "request");
    if (status)
        return caucus_request_raise(NULL, __func__, status);
    status = caucus_request_check_start(*request);
    if (!status)
        status = caucus_request_begin(*request);
    return status ? caucus_request_raise(*request, __func__, status) : MPI_SUCCESS;
}

/* Ends what is complete, and raises its failure. */
static int finish(caucus_request *request, const char *function, MPI_Status *status) {
    struct caucus_request_object *object = *request;
    if (!object->status &&
        object->persistent) { /* in a hurry: what follows costs as much as a run */
        object->active = false;
        object->told = false;
        atomic_store_explicit(&object->complete, false, memory_order_relaxed);
        caucus_status_clear(status);
        return MPI_SUCCESS;
    }
    caucus_context_hold(
        object->context); /* its error handler is needed after the request is gone */
    struct caucus_context *context = object->context;
    int failed = caucus_request_finish(request);
    caucus_status_clear(status);
    int code = failed ? caucus_context_raise(context, false, function, failed) : MPI_SUCCESS;
    caucus_context_let_go(context);
    return code;
}

int caucus_wait(caucus_request *request, MPI_Status *status) {
    int bad = check_pointer(request, "request");
    if (bad)
        return caucus_request_raise(NULL, __func__, bad);
    if (!caucus_request_is_active(*request)) {
        caucus_status_clear(status);
        return MPI_SUCCESS;
    }
    caucus_request_await(*request);
    return finish(request, __func__, status);
}

int caucus_test(caucus_request *request, int *flag, MPI_Status *status) {
    int bad = check_pointer(request, "request");
    if (!bad)
        bad = caucus_check_pointer(flag, "flag");
    if (bad)
        return caucus_request_raise(request ? *request : NULL, __func__, bad);
    *flag = 1;
    if (!caucus_request_is_active(*request)) {
        caucus_status_clear(status);
        return MPI_SUCCESS;
    }
    caucus_request_advance(*request);
    *flag = (*request)->complete;
    return *flag ? finish(request, __func__, status) : MPI_SUCCESS;
}

int caucus_request_get_status(caucus_request request, int *flag, MPI_Status *status) {
    int bad = caucus_check_pointer(flag, "flag");
    if (bad)
        return caucus_request_raise(request, __func__, bad);
    *flag = 1;
    bool moved = false;
    if (caucus_request_is_active(request))
        *flag = caucus_request_look(request, &moved);
    if (*flag)
        caucus_status_clear(status);
    return MPI_SUCCESS;
}

int caucus_request_free(caucus_request *request) {
    int bad = check_pointer(request, "request");
    if (!bad && !*request)
        bad = caucus_fail(CAUCUS_BAD_REQUEST, "the request is CAUCUS_REQUEST_NULL");
    if (!bad && (*request)->active && !(*request)->told)
        bad = caucus_fail(CAUCUS_BAD_REQUEST,
                          "the request is active: it must be complete before it is freed");
    if (bad)
        return caucus_request_raise(request ? *request : NULL, __func__, bad);
    int code = (*request)->active ? finish(request, __func__, MPI_STATUS_IGNORE) : MPI_SUCCESS;
    if (*request)
        caucus_request_destroy(*request);
    *request = CAUCUS_REQUEST_NULL;
    return code;
}
