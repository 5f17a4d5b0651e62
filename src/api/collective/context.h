/* SPDX-License-Identifier: BSD-3-Clause */
/* What collectives keep with a communicator: its engine, who the neighbours are, what algorithms to
 * choose by, and the arenas and executions of blocking and nonblocking calls. */
#ifndef CAUCUS_API_COLLECTIVE_CONTEXT_H
#define CAUCUS_API_COLLECTIVE_CONTEXT_H

#include "api/collective/neighbors.h"
#include "plan/collective/task.h"
#include "plan/machine/model.h"
#include "run/group/alone.h"

struct caucus_cache;
struct caucus_counts;
struct caucus_learned;
struct caucus_light_group;

enum { CAUCUS_FORCED_ROOM = 512 };

/* Plain bytes: rank 0's hold for all. */
struct caucus_context_settings {
    struct caucus_model model;
    struct caucus_model usual;       /* the same, but with what is usual within nodes */
    bool measures;                   /* what the model says, */
    double measuring_seconds;        /* in about this time */
    bool reproducible;               /* reductions are chosen by built-in figures */
    char forced[CAUCUS_FORCED_ROOM]; /* "allreduce:ring,..." */
    double select_seconds;           /* that may be measured for at a time; 0: nothing is */
    bool select_persistent;          /* persistent inits between nodes alone */
    int sending;                     /* enum caucus_sending, of persistent ones */
    double patience;                 /* rank 0's CAUCUS_TIMEOUT, for roll calls */
    bool is_limited;                 /* any rank's */
    bool check;                      /* before blocking and nonblocking calls too */
    int64_t group_calls;             /* blocking ones of a group before it is attached */
};

struct caucus_context {
    MPI_Comm comm;                    /* the user's; null once he has freed it, and of a group: */
    struct caucus_light_group *group; /* owned; else NULL */
    struct caucus_context *parent;    /* held: of the communicator that the group is made of */
    int rank, size; /* of an intercommunicator: in the union of its groups, as tasks have it */
    /* Of an intercommunicator; else there is one group, the local one. */
    struct caucus_context_group {
        int first, size;
    } local, remote;
    bool between;                         /* two groups */
    struct caucus_attachment *attachment; /* held */
    struct caucus_attachment *reserved;   /* of a group: held until it is attached */
    struct caucus_engine *engine;
    struct caucus_context_settings settings;
    struct caucus_neighbors neighbors; /* once a neighbourhood collective came */
    bool neighbors_known;
    struct caucus_cache *cache;     /* NULL while it is not attached */
    struct caucus_counts *counts;   /* of two groups that are attached, else NULL */
    uint64_t pending_held_up;       /* for pending.c */
    struct caucus_learned *learned; /* by measuring; NULL: nothing is */
    bool keeps_choices;             /* what is learned holds for later runs, too */
    /* Bits: size classes of which a reduction that rounds has gone by the model. */
    uint64_t went_by_model[CAUCUS_COLLECTIVES];
    bool given_up;             /* of a group: a wait for all members, to attach it */
    double timeout;            /* of nonblocking calls on a communicator before that */
    _Atomic int natives;       /* of those that are active */
    struct caucus_alone alone; /* of calls on a group before that, */
    uint64_t calls_alone;      /* so many so far, */
    int64_t early_calls;       /* and blocking ones */
    _Atomic int references;    /* the communicator's, and one of every request */
};

/* Whether every setting that is read for a context has a value that it may have. Local. */
int caucus_context_check_settings(void);

/* What a value of CAUCUS_REQUESTS or its info key says: enum caucus_sending. */
int caucus_context_sending(const char *requests);

/* Finds what is kept with comm, an intracommunicator, or attaches it: collective then, and all
 * ranks get the same status and text. */
int caucus_context_get(MPI_Comm comm, struct caucus_context **context);

/* One of a group, which is taken over unless it fails. Nothing is found out yet. Local. */
int caucus_context_of_group(struct caucus_context *parent, struct caucus_light_group *group,
                            struct caucus_context **context);

/* What a group's first call needs that may wait: collective over it. */
int caucus_context_attach_group(struct caucus_context *context);

/* Makes one that is not attached yet, with this process's settings; local. */
int caucus_context_create(MPI_Comm comm, struct caucus_context **context);

/* What is kept with comm, attached or not, else NULL; local. */
struct caucus_context *caucus_context_kept(MPI_Comm comm);

/* The same without asking MPI, if this thread has found it last; else NULL. comm may be anything.
 */
struct caucus_context *caucus_context_recent(MPI_Comm comm);

void caucus_context_hold(struct caucus_context *context);
void caucus_context_let_go(struct caucus_context *context);

/* Finds the neighbours of this rank, once. Local. */
int caucus_context_find_neighbors(struct caucus_context *context);

/* MPI_SUCCESS for CAUCUS_OK. Else raises the status: with the handler of the context's communicator
 * or, where that is freed or there is no context, of MPI_COMM_SELF. agreed: all ranks come here
 * alike. */
int caucus_context_raise(const struct caucus_context *context, bool agreed, const char *function,
                         int status);

/* Checks comm, an intracommunicator, attaches it and finds its context. On failure the error is
 * raised on all ranks, and its code returned. */
int caucus_opening_context(MPI_Comm comm, const char *function, struct caucus_context **context);

/* Whether all of its ranks are well so far, and have given the same value of that name. */
int caucus_opening_agree(const struct caucus_context *context, int status, const char *name,
                         int64_t value);

#endif
