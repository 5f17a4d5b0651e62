/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: what became of several requests, without completing any (MPI-4.1). As in
 * entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"
#include "dropin_calls.h"

#include <stdlib.h>

#define PEEK(which, parameters, ...)                                                               \
    int PMPI_Request_get_status_##which parameters;                                                \
    int MPI_Request_get_status_##which parameters {                                                \
        void *natives;                                                                             \
        if (!caucus_forward_has_requests())                                                        \
            return PMPI_Request_get_status_##which(count, requests, __VA_ARGS__);                  \
        int code =                                                                                 \
            caucus_forward_natives("MPI_Request_get_status_" #which, count, requests, &natives);   \
        if (!code)                                                                                 \
            code =                                                                                 \
                PMPI_Request_get_status_##which(count, natives ? natives : requests, __VA_ARGS__); \
        if (natives && !code)                                                                      \
            caucus_forward_peek_##which(count, requests, __VA_ARGS__);                             \
        free(natives);                                                                             \
        return code;                                                                               \
    }

#if CAUCUS_DROPIN_HAS_STATUS_OF_MANY
PEEK(all, (int count, const void *requests, int *flag, void *statuses), flag, statuses)
PEEK(any, (int count, const void *requests, int *index, int *flag, void *status), index, flag,
     status)
PEEK(some, (int count, const void *requests, int *completed, int *indices, void *statuses),
     completed, indices, statuses)
#endif
