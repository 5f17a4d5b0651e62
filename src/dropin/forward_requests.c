/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/mixed/duplicates.h"
#include "api/mixed/mixed.h"
#include "api/mixed/peek.h"
#include "api/mixed/proxies.h"
#include "dropin/forward.h"

#include <caucus/collective.h>

#include <stddef.h>

bool caucus_forward_has_requests(void) {
    return caucus_proxies_exist() || caucus_duplicates_any();
}

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

int caucus_forward_wait(void *request, void *status) {
    MPI_Request *duplicates = caucus_duplicates_among(1, request);
    int code = caucus_mixed_wait(request, status);
    caucus_duplicates_remove(1, duplicates, request);
    return code;
}

int caucus_forward_waitall(int count, void *requests, void *statuses) {
    MPI_Request *duplicates = caucus_duplicates_among(count, requests);
    int code = caucus_mixed_waitall(count, requests, statuses);
    caucus_duplicates_remove(count, duplicates, requests);
    return code;
}

int caucus_forward_waitany(int count, void *requests, int *index, void *status) {
    MPI_Request *duplicates = caucus_duplicates_among(count, requests);
    int code = caucus_mixed_waitany(count, requests, index, status);
    caucus_duplicates_remove(count, duplicates, requests);
    return code;
}

int caucus_forward_waitsome(int count, void *requests, int *completed, int *indices,
                            void *statuses) {
    MPI_Request *duplicates = caucus_duplicates_among(count, requests);
    int code = caucus_mixed_waitsome(count, requests, completed, indices, statuses);
    caucus_duplicates_remove(count, duplicates, requests);
    return code;
}

int caucus_forward_test(void *request, int *flag, void *status) {
    MPI_Request *duplicates = caucus_duplicates_among(1, request);
    int code = caucus_mixed_test(request, flag, status);
    caucus_duplicates_remove(1, duplicates, request);
    return code;
}

int caucus_forward_testall(int count, void *requests, int *flag, void *statuses) {
    MPI_Request *duplicates = caucus_duplicates_among(count, requests);
    int code = caucus_mixed_testall(count, requests, flag, statuses);
    caucus_duplicates_remove(count, duplicates, requests);
    return code;
}

int caucus_forward_testany(int count, void *requests, int *index, int *flag, void *status) {
    MPI_Request *duplicates = caucus_duplicates_among(count, requests);
    int code = caucus_mixed_testany(count, requests, index, flag, status);
    caucus_duplicates_remove(count, duplicates, requests);
    return code;
}

int caucus_forward_testsome(int count, void *requests, int *completed, int *indices,
                            void *statuses) {
    MPI_Request *duplicates = caucus_duplicates_among(count, requests);
    int code = caucus_mixed_testsome(count, requests, completed, indices, statuses);
    caucus_duplicates_remove(count, duplicates, requests);
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

void *caucus_forward_natives(int count, const void *requests) {
    bool ours = count > 0 && requests && caucus_proxy_among(count, requests);
    return ours ? caucus_peek_natives(count, requests) : NULL;
}

void caucus_forward_peek_all(int count, const void *requests, int *flag) {
    caucus_peek_all(count, requests, flag);
}

void caucus_forward_peek_any(int count, const void *requests, int *index, int *flag, void *status) {
    caucus_peek_any(count, requests, index, flag, status);
}

void caucus_forward_peek_some(int count, const void *requests, int *completed, int *indices,
                              void *statuses) {
    caucus_peek_some(count, requests, completed, indices, statuses);
}
