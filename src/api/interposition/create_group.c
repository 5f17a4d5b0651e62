/* SPDX-License-Identifier: BSD-3-Clause */

#include "api/calls/levels.h"
#include "api/calls/reasons.h"
#include "api/creation/create.h"
#include "api/interposition/assemble.h"
#include "api/interposition/communicator_id.h"
#include "api/interposition/duplicates.h"
#include "api/interposition/interposition.h"
#include "api/interposition/served.h"
#include "run/creation/room.h"
#include "run/group/rendezvous.h"

#include <stddef.h>

/* What is no group at all, or not within comm, is ours to tell. */
static bool is_of_world(MPI_Comm comm, MPI_Group group, const struct caucus_attachment *world) {
    int stranger;
    if (group == MPI_GROUP_NULL || caucus_is_known_within_world(comm))
        return true;
    int failed = caucus_creation_stranger(group, world->creation->group, &stranger);
    return !failed && stranger < 0;
}

/* What MPI_COMM_WORLD is attached by, or NULL for a call that is left to MPI. */
static struct caucus_attachment *find_world(MPI_Comm comm, MPI_Group group) {
    int inter = 1;
    if (!caucus_served_has_world() || comm == MPI_COMM_NULL ||
        !caucus_call_is_ours(CAUCUS_CALL_COMM_CREATE_GROUP))
        return NULL;
    struct caucus_attachment *world = caucus_attached(MPI_COMM_WORLD);
    if (!world || !world->creation || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return NULL;
    bool known = !caucus_levels_have_threads() || caucus_communicator_id(comm) != 0;
    return known && is_of_world(comm, group, world) ? world : NULL;
}

/* Without threads the tag is enough; so it is the same for communicators that have no number. What
 * was counted for those that are gone goes. */
static uint64_t topic_of(MPI_Comm comm, struct caucus_attachment *world) {
    if (!caucus_levels_have_threads())
        return 0;
    caucus_communicator_id_tell_gone(caucus_rendezvous_forget, world);
    return caucus_communicator_id(comm);
}

static enum caucus_reason why_left(void) {
    return caucus_call_is_ours(CAUCUS_CALL_COMM_CREATE_GROUP)
               ? CAUCUS_REASON_OTHER
               : caucus_reason_of(CAUCUS_CALL_COMM_CREATE_GROUP, false);
}

bool caucus_mixed_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made, int *code) {
    const char *algorithm = NULL;
    if (!caucus_interposition_enter_some())
        return false;
    struct caucus_attachment *world = find_world(comm, group);
    if (world) {
        const struct caucus_creation_request request = {
            .function = "MPI_Comm_create_group",
            .comm = comm,
            .group = group,
            .tag = tag,
            .made = made,
            .topic = topic_of(comm, world),
            .without_parent = !caucus_levels_have_threads() && caucus_duplicates_any()};
        *code = caucus_creation_create(&request, world, &algorithm);
    } else if (caucus_interposition_may_assemble()) {
        caucus_assemble_group(group, "MPI_Comm_create_group");
    }
    if (!world)
        caucus_call_pass(CAUCUS_CALL_COMM_CREATE_GROUP, why_left());
    else if (*code == MPI_SUCCESS)
        caucus_call_count(CAUCUS_CALL_COMM_CREATE_GROUP, algorithm);
    return world != NULL;
}
