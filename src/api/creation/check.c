/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/creation/create.h"

#include "api/common/raise.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/engine/engine.h"
#include "run/support/mpi_status.h"

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

int caucus_creation_stranger(MPI_Group group, MPI_Group into, int *stranger) {
    enum { AT_ONCE = 256 };
    int n = 0, own[AT_ONCE], there[AT_ONCE];
    int status = caucus_mpi_status(PMPI_Group_size(group, &n), "MPI_Group_size");
    *stranger = -1;
    for (int at = 0; at < n && !status && *stranger < 0; at += AT_ONCE) {
        int count = n - at < AT_ONCE ? n - at : AT_ONCE;
        for (int i = 0; i < count; i++)
            own[i] = at + i;
        status = caucus_mpi_status(PMPI_Group_translate_ranks(group, count, own, into, there),
                                   "MPI_Group_translate_ranks");
        for (int i = count - 1; i >= 0 && !status; i--)
            if (there[i] == MPI_UNDEFINED)
                *stranger = at + i;
    }
    return status;
}

int caucus_creation_ranks(MPI_Group group, MPI_Group into, int **ranks, int *stranger) {
    int n = 0, status = caucus_mpi_status(PMPI_Group_size(group, &n), "MPI_Group_size");
    int *own = caucus_array(n, sizeof *own);
    *ranks = caucus_array(n, sizeof **ranks);
    *stranger = -1;
    for (int i = 0; i < n && own; i++)
        own[i] = i;
    if (!own || !*ranks)
        status = CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_mpi_status(PMPI_Group_translate_ranks(group, n, own, into, *ranks),
                                   "MPI_Group_translate_ranks");
    for (int i = n - 1; i >= 0 && !status; i--)
        if ((*ranks)[i] == MPI_UNDEFINED)
            *stranger = i;
    free(own);
    return status;
}

static int check_within(MPI_Comm comm, MPI_Group group) {
    MPI_Group all;
    int stranger, status = caucus_mpi_status(PMPI_Comm_group(comm, &all), "MPI_Comm_group");
    if (status)
        return status;
    status = caucus_creation_stranger(group, all, &stranger);
    PMPI_Group_free(&all);
    return status || stranger < 0
               ? status
               : caucus_fail(CAUCUS_BAD_GROUP,
                             "process %d of the group is not in the communicator: all of its "
                             "processes must be",
                             stranger);
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
