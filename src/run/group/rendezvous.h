/* SPDX-License-Identifier: BSD-3-Clause */
/* Members that come together for something that MPI does for all of them: a light group that is
 * made for that alone. When it is ready, all have come with the same list and arguments, and its
 * number is a tag for MPI that no other rendezvous has. With a time limit it is settled
 * (plan/protocol/creation.h), since nothing ends a call of MPI's that a member does not join. */
#ifndef CAUCUS_RUN_GROUP_RENDEZVOUS_H
#define CAUCUS_RUN_GROUP_RENDEZVOUS_H

#include "run/group/group.h"

/* What for: in the place of a tag, for rendezvous of the members of a group. */
enum caucus_rendezvous_aim { CAUCUS_RENDEZVOUS_COMM = -1, CAUCUS_RENDEZVOUS_BETWEEN = -2 };

/* Of all members of a group. arguments: what must be the same on all, as a digest; objects: this
 * rank erred, so that all fail. Nothing is sent before caucus_group_advance or _await; it ends by
 * caucus_group_end. Local. */
int caucus_rendezvous_of(const struct caucus_light_group *group, enum caucus_rendezvous_aim aim,
                         uint64_t arguments, bool objects, struct caucus_light_group **rendezvous);

/* Of this rank and one more of the parent. */
int caucus_rendezvous_of_two(struct caucus_attachment *parent, int other, int tag,
                             uint64_t arguments, bool objects,
                             struct caucus_light_group **rendezvous);

/* What ranks of an attachment with a room (run/creation/room.h) have called, without a group. */
struct caucus_rendezvous_call {
    const char *name; /* a constant */
    uint64_t topic;   /* members meet by these, and by how often they have met so before */
    int tag;
    uint64_t arguments; /* as above */
    bool wishes;
    const int32_t *ranks; /* of the attachment, in an order that is the same on all */
    int count;
};

/* Makes it, and waits until it is ready: *wishes is whether any member wishes so. Its tag is its
 * own for as long as MPI may use it, and nothing is said when it ends. Where it has failed, code
 * and rank tell why, if rank is not -1; it ends all the same. */
struct caucus_rendezvous_outcome {
    int64_t code; /* enum caucus_creation_code */
    int32_t rank; /* of the attachment */
    bool wishes;
    int tag;
};
int caucus_rendezvous_meet(struct caucus_attachment *parent,
                           const struct caucus_rendezvous_call *call,
                           struct caucus_rendezvous_outcome *outcome);

/* Instead, of this rank, where there is no memory for a list: one of the others hears that it does
 * not take part. */
void caucus_rendezvous_refuse(struct caucus_attachment *parent, uint64_t topic, int tag, int rank);

/* Nobody meets by this topic any more: how often it was done is forgotten. */
void caucus_rendezvous_forget(struct caucus_attachment *parent, uint64_t topic);

/* On the room's communicator, of one that is ready. */
int caucus_rendezvous_tag(const struct caucus_light_group *rendezvous);

#endif
