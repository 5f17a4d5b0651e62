/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/creation/check.h"

#include "api/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/engine.h"
#include "run/mpi_status.h"

#include <stdlib.h>

static int check_tag(MPI_Comm comm, int tag) {
    int64_t tags;
    int status = caucus_engine_count_tags(comm, &tags);
    if (status)
        return status;
    return tag >= 0 && tag < tags
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_TAG, "tag is %d: it must be from 0 to MPI_TAG_UB, %lld",
                             tag, (long long)tags - 1);
}

int caucus_creation_translate(MPI_Group group, int n, MPI_Group into, int ranks[]) {
    int *own = caucus_array(n, sizeof *own);
    if (!own)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < n; i++)
        own[i] = i;
    int status = caucus_mpi_status(PMPI_Group_translate_ranks(group, n, own, into, ranks),
                                   "MPI_Group_translate_ranks");
    free(own);
    return status;
}

static int find_strangers(int n, const int ranks[]) {
    for (int i = 0; i < n; i++)
        if (ranks[i] == MPI_UNDEFINED)
            return caucus_fail(CAUCUS_BAD_GROUP,
                               "process %d of the group is not in the communicator: all of its "
                               "processes must be",
                               i);
    return CAUCUS_OK;
}

static int check_within(MPI_Comm comm, MPI_Group group) {
    MPI_Group all;
    int n;
    PMPI_Group_size(group, &n);
    int *ranks = caucus_array(n, sizeof *ranks);
    int status =
        ranks ? caucus_mpi_status(PMPI_Comm_group(comm, &all), "MPI_Comm_group") : CAUCUS_NO_MEMORY;
    if (!status) {
        status = caucus_creation_translate(group, n, all, ranks);
        PMPI_Group_free(&all);
    }
    if (!status)
        status = find_strangers(n, ranks);
    free(ranks);
    return status;
}

int caucus_creation_check(const struct caucus_creation_request *request) {
    int status = caucus_check_comm(request->comm);
    if (status)
        return status;
    if (!request->made)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "newcomm is NULL");
    if (request->group == MPI_GROUP_NULL)
        return caucus_fail(CAUCUS_BAD_GROUP, "the group is MPI_GROUP_NULL");
    status = check_tag(request->comm, request->tag);
    return status ? status : check_within(request->comm, request->group);
}
