/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of some of an attachment's ranks: formed by them alone, kept apart by numbers, from which
 * tags of the attachment's communicator follow. Functions here are local and may be called by any
 * thread. */
#ifndef CAUCUS_RUN_GROUP_GROUP_H
#define CAUCUS_RUN_GROUP_GROUP_H

#include "plan/group/members.h"
#include "run/attachment/attach.h"
#include "run/engine/engine.h"
#include "run/group/alone.h"

struct caucus_group_creation;
struct caucus_merge;
struct caucus_split_wish;

enum caucus_group_way {
    CAUCUS_GROUP_CHECKED,   /* all know of all that their lists are the same */
    CAUCUS_GROUP_UNCHECKED, /* half the messages */
    CAUCUS_GROUP_LATER,     /* no message before the group is used */
    CAUCUS_GROUP_NUMBERED   /* its maker sets the number at once */
};

/* Instead of a group that it was made of: the firsts of groups that merge, or of one and those who
 * join it; and what else ends in a merge: a group that asks, and one that takes in who has. The
 * leaders of two groups that get a communicator (rendezvous.h). And LATER, the groups that a
 * balance begins with, which do not count among those that users make. */
enum {
    CAUCUS_GROUP_MERGES = -2,
    CAUCUS_GROUP_JOINS = -3,
    CAUCUS_GROUP_ASKS = -4,
    CAUCUS_GROUP_TAKES = -5,
    CAUCUS_GROUP_LEADERS = -6,
    CAUCUS_GROUP_BALANCES = -7
};

/* What tags of a group are for, from the first one on. */
enum {
    CAUCUS_GROUP_TAG_PEERS,
    CAUCUS_GROUP_TAG_ALONE,
    CAUCUS_GROUP_TAG_MESSAGES = CAUCUS_GROUP_TAG_ALONE + CAUCUS_ALONE_ARENAS,
    CAUCUS_GROUP_MESSAGE_TAGS = 16, /* of the user's */
    CAUCUS_GROUP_TAG_ENGINE = CAUCUS_GROUP_TAG_MESSAGES + CAUCUS_GROUP_MESSAGE_TAGS
};

struct caucus_light_group {
    struct caucus_attachment *parent; /* held; it has an engine */
    struct caucus_members members;    /* ranks of the parent */
    int rank, size;
    int64_t number;  /* -1 while it is not known */
    int64_t outside; /* the identity of the group that it was made of; -1 for a communicator; or
                        CAUCUS_GROUP_MERGES, _JOINS, _LEADERS, _BALANCES; or, with the highest
                        bit, the topic of a rendezvous (rendezvous.h) */
    int tag;         /* LATER: not used */
    enum caucus_group_way way;
    uint64_t hash;      /* of the members and the way */
    int64_t turn;       /* LATER: how many groups of the same range this rank has made before */
    int64_t merges;     /* how many of its merges this rank has begun */
    bool objects;       /* this rank erred: its creation is to fail everywhere */
    bool has_failed;    /* a collective on it did: its tags, and so its number, serve no more */
    bool is_rendezvous; /* its members go on into what MPI does (rendezvous.h): all of them, or none
                         */
    const char *call;   /* of a rendezvous that has no other group: what its members have called */
    bool wishes;        /* of such a one: a wish of this member's; once it is ready, of any */
    int32_t failed_rank; /* and who is to be named where it has failed, of the parent, or -1: */
    int64_t failed_code; /* enum caucus_creation_code */
    struct caucus_merge *merge;             /* what rides on its creation, or NULL */
    struct caucus_group_creation *creation; /* in progress, else NULL */
    int status;                             /* how creation failed, and the words */
    char *text;
};

/* members are taken over, on failure too; this rank is one of them. Nothing is sent yet, unless it
 * fails: those who would wait for this rank hear so. */
int caucus_group_make(struct caucus_attachment *parent, struct caucus_members *members,
                      int64_t outside, int tag, enum caucus_group_way way,
                      struct caucus_light_group **group);

/* Before that, where there is no memory for as much as the members of a group that waits for them:
 * one of the others hears that this rank does not take part; all of a list do, of which those who
 * are none are left out; or all members. Does nothing where no group could be made so far. */
void caucus_group_decline(struct caucus_attachment *parent, int64_t outside, int tag, int rank);
void caucus_group_decline_all(struct caucus_attachment *parent, int64_t outside, int tag, int count,
                              const int ranks[]);
void caucus_group_decline_members(struct caucus_attachment *parent, int64_t outside, int tag,
                                  const struct caucus_members *members);

/* A number that this rank may give to a group whose first member it is; and back, if it has not. */
int caucus_group_number_take(struct caucus_attachment *parent, int64_t *number);
void caucus_group_number_give(struct caucus_attachment *parent, int64_t number);

/* A group of that number, which its members have learned by themselves. members are taken over. */
int caucus_group_make_numbered(struct caucus_attachment *parent, struct caucus_members *members,
                               int64_t number, struct caucus_light_group **group);

/* alive.c: of those members of a list who live, over a parent that may have dead ranks. members are
 * taken over, on failure too; this rank is one of them. outside is the identity of the group that
 * the list is out of, or -1. timeout in seconds, above 0. Waits while everything active moves on.
 * Who objects has it fail on all, if there are others. */
int caucus_group_make_alive(struct caucus_attachment *parent, struct caucus_members *members,
                            int64_t outside, double timeout, bool objects,
                            struct caucus_light_group **made);

/* The same on all members, and different for groups that share some: its number or, where that
 * comes later, what it is and how many such there were before. */
int64_t caucus_group_identity(const struct caucus_light_group *group);

/* Begins its creation, and no more: within the call that makes the group, or its turn among those
 * of the same members and tag would be that of whoever looks first. A failure to begin is told by
 * caucus_group_advance. */
void caucus_group_begin(struct caucus_light_group *group);

/* Goes on with its creation, which it begins if need be, without waiting: *ready is whether its
 * number is known. A failure is told every time. */
int caucus_group_advance(struct caucus_light_group *group, bool *ready);

/* The same until it is ready, while everything active moves on. */
int caucus_group_await(struct caucus_light_group *group);

/* A group falls apart by what all its members say: puts a slot into this one's wish, which it takes
 * back where nothing comes of it. */
int caucus_group_part_begin(const struct caucus_light_group *group, struct caucus_split_wish *wish);
void caucus_group_part_not(const struct caucus_light_group *group,
                           const struct caucus_split_wish *wish);

/* Once all wishes are here: those with the same colour, by their keys and then in their order, are
 * a new group; NULL where this one's colour is negative. */
int caucus_group_part(const struct caucus_light_group *group,
                      const struct caucus_split_wish *wishes, struct caucus_light_group **made);

/* A settled one that has begun is not wanted any more: it fails for the others as if this member
 * had erred, whether or not they have come, and can but be ended here. False where it is too late:
 * it is there, or this member has said that it stays, and who asked it to is there to end it. */
bool caucus_group_call_off(struct caucus_light_group *group);

/* Why its making has failed: the code (enum caucus_creation_code) and who is to be named, or -1. */
void caucus_group_failure(const struct caucus_light_group *group, int64_t *code, int32_t *rank);

/* Whether its number is known by now, without looking for it. */
bool caucus_group_is_ready(const struct caucus_light_group *group);

/* A LATER one that nobody gets and that has not begun: the next one of the same members takes its
 * turn, as on members that have not made this one. */
void caucus_group_uncount(struct caucus_light_group *group);

/* This rank is done with it. Its number is used again when all members are. */
void caucus_group_end(struct caucus_light_group *group);

/* For its collectives: the memory that attaching takes, so that nobody lacks it when others wait;
 * and, once the group is ready, what it is for. */
int caucus_group_reserve(const struct caucus_light_group *group,
                         struct caucus_attachment **attachment);
void caucus_group_attach(const struct caucus_light_group *group,
                         struct caucus_attachment *attachment);
struct caucus_tags caucus_group_tags_peers(const struct caucus_light_group *group);
struct caucus_tags caucus_group_tags_alone(const struct caucus_light_group *group);
struct caucus_tags caucus_group_tags_engine(const struct caucus_light_group *group);

/* Messages of the user's, tags 0 to CAUCUS_GROUP_MESSAGE_TAGS - 1; the group is ready. peer may be
 * MPI_PROC_NULL, and MPI_ANY_SOURCE to receive. */
int caucus_group_post(const struct caucus_light_group *group, bool sends, void *buffer, int count,
                      MPI_Datatype type, int peer, int tag, MPI_Request *request);

/* Waits for such a request, while everything active moves on. */
int caucus_group_complete(const struct caucus_light_group *group, bool sends, int peer, int tag,
                          MPI_Request *request, MPI_Status *said);

/* Receives from any member, and waits for it, in spite of deaths outside the group: by no receive
 * from MPI_ANY_SOURCE. */
int caucus_group_receive_any(const struct caucus_light_group *group, void *buffer, int count,
                             MPI_Datatype type, int tag, MPI_Status *said);

/* Makes source and tag of a status what they are in the group. */
void caucus_group_translate(const struct caucus_light_group *group, MPI_Status *status);

#endif
