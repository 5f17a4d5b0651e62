/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/interposition/duplicates.h"
#include "api/interposition/helper.h"
#include "api/interposition/mixed.h"
#include "api/interposition/proxies.h"
#include "dropin/forward.h"

#include <caucus/collective.h>

bool caucus_forward_has_requests(void) {
    return caucus_proxies_exist() || caucus_duplicates_any() || caucus_helper_offered;
}

/* Where duplicates of communicators may be among them. A wait for all may last long after these are
 * complete, which another thread may wait for: so they come first. */
#define COMPLETE_ALL(name, ours, parameters, given, count, requests)                               \
    int caucus_forward_##ours parameters {                                                         \
        caucus_duplicates_complete(count, requests);                                               \
        return caucus_mixed_##ours given;                                                          \
    }

#define COMPLETE(name, ours, parameters, given, count, requests)                                   \
    int caucus_forward_##ours parameters {                                                         \
        MPI_Request *duplicates = caucus_duplicates_among(count, requests);                        \
        int code = caucus_mixed_##ours given;                                                      \
        caucus_duplicates_remove(count, duplicates, requests);                                     \
        return code;                                                                               \
    }

CAUCUS_FORWARD_COMPLETING_ALL(COMPLETE_ALL)
CAUCUS_FORWARD_COMPLETING(COMPLETE)

int caucus_forward_start(void *request) {
    int code;
    return caucus_mixed_start(request, &code) ? code : PMPI_Start(request);
}

int caucus_forward_startall(int count, void *requests) {
    MPI_Request *request = requests;
    int code = MPI_SUCCESS;
    if (count < 0 || !request || !caucus_proxy_among(count, request))
        return PMPI_Startall(count, request);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++)
        code = caucus_forward_start(&request[i]);
    return code;
}

int caucus_forward_request_get_status(intptr_t request, int *flag, void *status) {
    return caucus_mixed_request_get_status((MPI_Request)request, flag, status);
}

int caucus_forward_request_free(void *request) {
    return caucus_mixed_request_free(request);
}

int caucus_forward_cancel(void *request) {
    return caucus_mixed_cancel(request);
}

int caucus_forward_op_free(void *op) {
    return caucus_op_free(op);
}

int caucus_forward_natives(const char *function, int count, const void *requests, void **natives) {
    MPI_Request *made;
    int code = caucus_get_status_natives(function, count, requests, &made);
    *natives = made;
    return code;
}

void caucus_forward_peek_all(int count, const void *requests, int *flag, void *statuses) {
    (void)statuses;
    caucus_get_status_all(count, requests, flag);
}

void caucus_forward_peek_any(int count, const void *requests, int *index, int *flag, void *status) {
    caucus_get_status_any(count, requests, index, flag, status);
}

void caucus_forward_peek_some(int count, const void *requests, int *completed, int *indices,
                              void *statuses) {
    caucus_get_status_some(count, requests, completed, indices, statuses);
}
