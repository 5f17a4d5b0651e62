/* SPDX-License-Identifier: BSD-3-Clause */
/* What an attachment has for communicators that their members alone make over it.
 *
 * MPI says that the tag of MPI_Comm_create_group is apart from those of messages, but Open MPI
 * 5.0.11 sends messages with that tag on the communicator itself. So there is a communicator for
 * MPI's own messages alone. Ours go on the attachment's own (run/group/rendezvous.h).
 *
 * The tag that MPI gets is not the user's, but one that the group's first member gives when they
 * meet, out of those that are his alone: so two creations at a time never have the same, whatever
 * communicators the user's tags are of. */
#ifndef CAUCUS_RUN_CREATION_ROOM_H
#define CAUCUS_RUN_CREATION_ROOM_H

#include "run/attachment/attach.h"

struct caucus_creation_room {
    MPI_Comm comm;   /* the ranks of the attachment's; returns errors */
    MPI_Group group; /* of it */
    int tags; /* of the lower half, that this rank gives to groups of which it is the first: so many
               */
    _Atomic unsigned given;
};

/* Collective over the attachment, which has one group and an engine; does nothing where there is a
 * room. All ranks get the same status and text. It goes with the attachment. */
int caucus_creation_room_make(struct caucus_attachment *attachment);

/* The next tag of this rank's; any thread. */
int caucus_creation_room_tag(struct caucus_creation_room *room);

/* NULL does nothing; local. */
void caucus_creation_room_free(struct caucus_creation_room *room);

#endif
