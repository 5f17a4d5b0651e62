/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: everything that takes requests. Where no request is ours, MPI is called at
 * once. As in entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"

int PMPI_Start(void *request);
int PMPI_Startall(int count, void *requests);
int PMPI_Wait(void *request, void *status);
int PMPI_Waitall(int count, void *requests, void *statuses);
int PMPI_Waitany(int count, void *requests, int *index, void *status);
int PMPI_Waitsome(int count, void *requests, int *completed, int *indices, void *statuses);
int PMPI_Test(void *request, int *flag, void *status);
int PMPI_Testall(int count, void *requests, int *flag, void *statuses);
int PMPI_Testany(int count, void *requests, int *index, int *flag, void *status);
int PMPI_Testsome(int count, void *requests, int *completed, int *indices, void *statuses);
int PMPI_Request_get_status(intptr_t request, int *flag, void *status);
int PMPI_Request_free(void *request);
int PMPI_Cancel(void *request);
int PMPI_Op_free(void *op);

int MPI_Start(void *request) {
    return caucus_forward_has_requests() ? caucus_forward_start(request) : PMPI_Start(request);
}

int MPI_Startall(int count, void *requests) {
    return caucus_forward_has_requests() ? caucus_forward_startall(count, requests)
                                         : PMPI_Startall(count, requests);
}

int MPI_Wait(void *request, void *status) {
    return caucus_forward_has_requests() ? caucus_forward_wait(request, status)
                                         : PMPI_Wait(request, status);
}

int MPI_Waitall(int count, void *requests, void *statuses) {
    return caucus_forward_has_requests() ? caucus_forward_waitall(count, requests, statuses)
                                         : PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitany(int count, void *requests, int *index, void *status) {
    return caucus_forward_has_requests() ? caucus_forward_waitany(count, requests, index, status)
                                         : PMPI_Waitany(count, requests, index, status);
}

int MPI_Waitsome(int count, void *requests, int *completed, int *indices, void *statuses) {
    return caucus_forward_has_requests()
               ? caucus_forward_waitsome(count, requests, completed, indices, statuses)
               : PMPI_Waitsome(count, requests, completed, indices, statuses);
}

int MPI_Test(void *request, int *flag, void *status) {
    return caucus_forward_has_requests() ? caucus_forward_test(request, flag, status)
                                         : PMPI_Test(request, flag, status);
}

int MPI_Testall(int count, void *requests, int *flag, void *statuses) {
    return caucus_forward_has_requests() ? caucus_forward_testall(count, requests, flag, statuses)
                                         : PMPI_Testall(count, requests, flag, statuses);
}

int MPI_Testany(int count, void *requests, int *index, int *flag, void *status) {
    return caucus_forward_has_requests()
               ? caucus_forward_testany(count, requests, index, flag, status)
               : PMPI_Testany(count, requests, index, flag, status);
}

int MPI_Testsome(int count, void *requests, int *completed, int *indices, void *statuses) {
    return caucus_forward_has_requests()
               ? caucus_forward_testsome(count, requests, completed, indices, statuses)
               : PMPI_Testsome(count, requests, completed, indices, statuses);
}

int MPI_Request_get_status(intptr_t request, int *flag, void *status) {
    return caucus_forward_has_requests() ? caucus_forward_request_get_status(request, flag, status)
                                         : PMPI_Request_get_status(request, flag, status);
}

int MPI_Request_free(void *request) {
    return caucus_forward_has_requests() ? caucus_forward_request_free(request)
                                         : PMPI_Request_free(request);
}

int MPI_Cancel(void *request) {
    return caucus_forward_has_requests() ? caucus_forward_cancel(request) : PMPI_Cancel(request);
}

int MPI_Op_free(void *op) {
    return caucus_forward_has_requests() ? caucus_forward_op_free(op) : PMPI_Op_free(op);
}
