/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: what became of several requests, without completing any (MPI-4.1). As in
 * entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"
#include "dropin_calls.h"

#include <stdlib.h>

#if CAUCUS_DROPIN_HAS_STATUS_OF_MANY
int PMPI_Request_get_status_all(int count, const void *requests, int *flag, void *statuses);
int PMPI_Request_get_status_any(int count, const void *requests, int *index, int *flag,
                                void *status);
int PMPI_Request_get_status_some(int count, const void *requests, int *completed, int *indices,
                                 void *statuses);

int MPI_Request_get_status_all(int count, const void *requests, int *flag, void *statuses) {
    void *natives = caucus_forward_natives(count, requests);
    if (!natives)
        return PMPI_Request_get_status_all(count, requests, flag, statuses);
    int code = PMPI_Request_get_status_all(count, natives, flag, statuses);
    if (!code)
        caucus_forward_peek_all(count, requests, flag);
    free(natives);
    return code;
}

int MPI_Request_get_status_any(int count, const void *requests, int *index, int *flag,
                               void *status) {
    void *natives = caucus_forward_natives(count, requests);
    if (!natives)
        return PMPI_Request_get_status_any(count, requests, index, flag, status);
    int code = PMPI_Request_get_status_any(count, natives, index, flag, status);
    if (!code)
        caucus_forward_peek_any(count, requests, index, flag, status);
    free(natives);
    return code;
}

int MPI_Request_get_status_some(int count, const void *requests, int *completed, int *indices,
                                void *statuses) {
    void *natives = caucus_forward_natives(count, requests);
    if (!natives)
        return PMPI_Request_get_status_some(count, requests, completed, indices, statuses);
    int code = PMPI_Request_get_status_some(count, natives, completed, indices, statuses);
    if (!code)
        caucus_forward_peek_some(count, requests, completed, indices, statuses);
    free(natives);
    return code;
}
#endif
