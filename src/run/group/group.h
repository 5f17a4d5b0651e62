/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of some of an attachment's ranks: formed by them alone, kept apart by numbers, from which
 * tags of the attachment's communicator follow. Functions here are local and may be called by any
 * thread. */
#ifndef CAUCUS_RUN_GROUP_GROUP_H
#define CAUCUS_RUN_GROUP_GROUP_H

#include "plan/group/members.h"
#include "run/alone.h"
#include "run/attach.h"
#include "run/engine.h"

struct caucus_group_creation;

enum caucus_group_way {
    CAUCUS_GROUP_CHECKED,   /* all know of all that their lists are the same */
    CAUCUS_GROUP_UNCHECKED, /* half the messages */
    CAUCUS_GROUP_LATER,     /* no message before the group is used */
    CAUCUS_GROUP_NUMBERED   /* its maker sets the number at once */
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
    int64_t outside; /* the identity of the group that it was made of; -1 for a communicator */
    int tag;         /* LATER: not used */
    enum caucus_group_way way;
    uint64_t hash; /* of the members and the way */
    int64_t turn;  /* LATER: how many groups of the same range this rank has made before */
    struct caucus_group_creation *creation; /* in progress, else NULL */
    int status;                             /* how creation failed, and the words */
    char *text;
};

/* members are taken over, on failure too; this rank is one of them. Nothing is sent yet. */
int caucus_group_make(struct caucus_attachment *parent, struct caucus_members *members,
                      int64_t outside, int tag, enum caucus_group_way way,
                      struct caucus_light_group **group);

/* The same on all members, and different for groups that share some: its number or, where that
 * comes later, what it is and how many such there were before. */
int64_t caucus_group_identity(const struct caucus_light_group *group);

/* Goes on with its creation, which it begins if need be, without waiting: *ready is whether its
 * number is known. A failure is told every time. */
int caucus_group_advance(struct caucus_light_group *group, bool *ready);

/* The same until it is ready, while everything active moves on, and what also() moves on. */
int caucus_group_await(struct caucus_light_group *group, bool (*also)(void));

/* What becomes of a group by what all its members say: those with the same colour, by their keys
 * and then in their order, are a new one; NULL where colour is negative. Collective over the group,
 * whose peers these are. */
int caucus_group_part(const struct caucus_light_group *group, const struct caucus_peers *peers,
                      int32_t colour, int32_t key, struct caucus_light_group **made);

/* This rank is done with it. Its number is used again when all members are. */
void caucus_group_end(struct caucus_light_group *group);

/* For its collectives; the group is ready. */
int caucus_group_attach(const struct caucus_light_group *group,
                        struct caucus_attachment **attachment);
struct caucus_tags caucus_group_tags_alone(const struct caucus_light_group *group);
struct caucus_tags caucus_group_tags_engine(const struct caucus_light_group *group);

/* Messages of the user's, tags 0 to CAUCUS_GROUP_MESSAGE_TAGS - 1; the group is ready. peer may be
 * MPI_PROC_NULL, and MPI_ANY_SOURCE to receive. */
int caucus_group_post(const struct caucus_light_group *group, bool sends, void *buffer, int count,
                      MPI_Datatype type, int peer, int tag, MPI_Request *request);

/* Until a request of these is complete, as in run/waiting.h; a receive from anybody, in spite of
 * deaths outside the group. */
int caucus_group_wait(const struct caucus_light_group *group, MPI_Request *request,
                      bool (*also)(void), MPI_Status *said);

/* Makes source and tag of a status what they are in the group. */
void caucus_group_translate(const struct caucus_light_group *group, MPI_Status *status);

#endif
