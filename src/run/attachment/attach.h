/* SPDX-License-Identifier: BSD-3-Clause */
/* What Caucus keeps with a communicator: a private duplicate for its own traffic, and where the
 * ranks lie. */
#ifndef CAUCUS_RUN_ATTACHMENT_ATTACH_H
#define CAUCUS_RUN_ATTACHMENT_ATTACH_H

#include "run/attachment/origin.h"
#include "run/peers/peers.h"
#include "run/support/rank_text.h"

#include <mpi.h>
#include <stdbool.h>

enum { CAUCUS_INNER_LEVELS = CAUCUS_LEVELS - 1 };

struct caucus_creation_room;
struct caucus_engine;
struct caucus_group_manager;

struct caucus_attachment {
    MPI_Comm comm;             /* the private duplicate; it returns errors, and so do the others */
    struct caucus_peers peers; /* its ranks */
    MPI_Comm node;             /* the ranks of this rank's node, in their order */
    MPI_Comm leaders; /* the lowest rank of every node, in the order of the nodes; null elsewhere */
    MPI_Comm unused;  /* of the other ranks, made along with leaders */
    struct caucus_attachment *parent; /* held: of a group, whose comm is its parent's, and which
                                         knows no node or leaders */
    int rank, size;
    int first_group; /* of an intercommunicator, both groups of which comm is made of: ranks 0 to
                        first_group - 1 are one of them; else 0 */
    struct caucus_nodes nodes; /* numbered by their lowest rank */
    int32_t node_index;
    int local_rank, local_size;
    bool described;              /* by CAUCUS_NODES: */
    struct caucus_origin origin; /* what it says of this rank, -1 where it says nothing */
    /* Of a leader: the levels inside the node that tell its ranks apart, and each local rank's
     * part, numbered from 0 by first appearance. A level that is not known of all ranks is left
     * out. */
    int levels;
    int32_t *part_of_local[CAUCUS_INNER_LEVELS];
    /* What others keep with it, NULL until it is asked for, and how it is freed: what runs on it,
     * the manager of the groups made of it, and room for communicators that members alone make. */
    struct caucus_engine *engine;
    void (*free_engine)(struct caucus_engine *engine);
    struct caucus_group_manager *manager;
    void (*free_manager)(struct caucus_group_manager *manager);
    bool (*stay)(struct caucus_group_manager *manager); /* then it holds this by itself */
    struct caucus_creation_room *creation;
    void (*free_creation)(struct caucus_creation_room *room);
    bool given_up; /* a wait for all ranks (run/engine/roll_call.h): what came late may be left */
    _Atomic int references; /* the communicator's, and one of every arena */
};

/* Finds what is kept with comm or makes it: collective then, over both groups if it has two. It
 * goes when comm is freed. All ranks get the same status and text. */
int caucus_attach(MPI_Comm comm, struct caucus_attachment **attachment);

/* The same if it is there, else NULL; local. */
struct caucus_attachment *caucus_attached(MPI_Comm comm);

/* One of some of parent's ranks, which is held: rank_of[size], which is taken over on success, and
 * this one's place among them. Which they are, and the tag of parent's comm that what they tell one
 * another has, may be set later. Its maker holds it. Local. */
int caucus_attach_members(struct caucus_attachment *parent, int *rank_of, int size, int rank,
                          struct caucus_attachment **attachment);

/* No other attachment has messages on its comm from now on; before that, one of a single rank may
 * share it (run/support/alone.h). Local, for one thread at a time. */
int caucus_attachment_stand_apart(struct caucus_attachment *attachment);

/* This rank, as the reader of a text. */
static inline struct caucus_reader
caucus_attachment_reader(const struct caucus_attachment *attachment) {
    return (struct caucus_reader){attachment->first_group, attachment->rank};
}

/* Keeps it even if its communicator is freed, as MPI does for what is still active; and lets go of
 * it. Local. */
void caucus_attachment_hold(struct caucus_attachment *attachment);
void caucus_attachment_let_go(struct caucus_attachment *attachment);

/* Holds it unless it is about to go. */
bool caucus_attachment_hold_if_kept(struct caucus_attachment *attachment);

#endif
