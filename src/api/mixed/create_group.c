/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/mixed/create_group.h"

#include "api/calls/calls.h"
#include "api/creation/check.h"
#include "api/mixed/passage.h"
#include "base/memory.h"
#include "run/creation/room.h"

#include <stddef.h>
#include <stdlib.h>

/* What is no group at all is ours to tell. */
static bool is_of_world(MPI_Group group, const struct caucus_attachment *world) {
    int n;
    if (group == MPI_GROUP_NULL)
        return true;
    if (PMPI_Group_size(group, &n) != MPI_SUCCESS)
        return false;
    int *ranks = caucus_array(n, sizeof *ranks);
    bool within = ranks && !caucus_creation_translate(group, n, world->creation->group, ranks);
    for (int i = 0; i < n && within; i++)
        within = ranks[i] != MPI_UNDEFINED;
    free(ranks);
    return within;
}

/* What MPI_COMM_WORLD is attached by, or NULL for a call that is left to MPI. */
static const struct caucus_attachment *find_world(MPI_Comm comm, MPI_Group group) {
    int initialized, inter = 1;
    PMPI_Initialized(&initialized);
    if (!initialized || comm == MPI_COMM_NULL ||
        !caucus_call_is_ours(CAUCUS_CALL_COMM_CREATE_GROUP))
        return NULL;
    const struct caucus_attachment *world = caucus_attached(MPI_COMM_WORLD);
    if (!world || !world->creation || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return NULL;
    bool fits =
        comm == MPI_COMM_WORLD || (!caucus_passage_has_threads() && is_of_world(group, world));
    return fits ? world : NULL;
}

bool caucus_mixed_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made, int *code) {
    const struct caucus_creation_request request = {"MPI_Comm_create_group", comm, group, tag,
                                                    made};
    const char *algorithm = NULL;
    if (!caucus_passage_enter_some())
        return false;
    const struct caucus_attachment *world = find_world(comm, group);
    if (world)
        *code = caucus_creation_create(&request, world, &algorithm);
    if (!world || *code == MPI_SUCCESS)
        caucus_call_count(CAUCUS_CALL_COMM_CREATE_GROUP, algorithm);
    return world != NULL;
}
