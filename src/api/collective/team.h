/* SPDX-License-Identifier: BSD-3-Clause */
/* What collectives keep with a communicator: its engine, who the neighbours are, what algorithms to
 * choose by, and the arenas and executions of blocking and nonblocking calls. */
#ifndef CAUCUS_API_COLLECTIVE_TEAM_H
#define CAUCUS_API_COLLECTIVE_TEAM_H

#include "api/collective/neighbors.h"
#include "plan/machine/model.h"
#include "run/engine.h"

struct caucus_counts;
struct caucus_early;
struct caucus_light_group;
struct caucus_shelf;
struct caucus_standing;

enum { CAUCUS_FORCED_ROOM = 512 };

/* Plain bytes: rank 0's hold for all. */
struct caucus_team_settings {
    struct caucus_model model;
    char forced[CAUCUS_FORCED_ROOM]; /* "allreduce:ring,..." */
    int sending;                     /* enum caucus_sending */
    bool requests_at_init;
    bool rebuilds;       /* persistent schedules at every start */
    bool check;          /* before blocking and nonblocking calls too */
    int64_t group_calls; /* blocking ones of a group before it is attached */
};

struct caucus_team {
    MPI_Comm comm;                    /* the user's; null once he has freed it, and of a group: */
    struct caucus_light_group *group; /* owned; else NULL */
    struct caucus_team *parent;       /* held: of the communicator that the group is made of */
    int rank, size; /* of an intercommunicator: in the union of its groups, as tasks have it */
    /* Of an intercommunicator; else there is one group, the local one. */
    struct caucus_team_group {
        int first, size;
    } local, remote;
    bool between;                         /* two groups */
    struct caucus_attachment *attachment; /* held */
    struct caucus_engine *engine;
    struct caucus_team_settings settings;
    struct caucus_neighbors neighbors; /* once a neighbourhood collective came */
    bool neighbors_known;
    struct caucus_standing *standing; /* NULL while it is not attached */
    struct caucus_counts *counts;     /* of two groups that are attached, else NULL */
    struct caucus_shelf *shelf;       /* of persistent requests that were freed */
    uint64_t staged_waits;            /* for staged.c */
    struct caucus_early *early;       /* of nonblocking calls that came before that, else NULL */
    int64_t early_calls;              /* of a group: blocking ones before that */
    _Atomic int references;           /* the communicator's, and one of every request */
};

/* What CAUCUS_REQUESTS or its info key says; where is the name for an error. */
int caucus_team_read_requests(struct caucus_team_settings *settings, const char *where,
                              const char *text);

/* Finds what is kept with comm, an intracommunicator, or attaches it: collective then, and all
 * ranks get the same status and text. */
int caucus_team_get(MPI_Comm comm, struct caucus_team **team);

/* One of a group, which is taken over, on failure too. Nothing is found out yet. Local. */
int caucus_team_of_group(struct caucus_team *parent, struct caucus_light_group *group,
                         struct caucus_team **team);

/* What a group's first call needs that may wait: collective over it. */
int caucus_team_attach_group(struct caucus_team *team);

/* Makes one that is not attached yet, with this process's settings; local. */
int caucus_team_create(MPI_Comm comm, struct caucus_team **team);

/* What is kept with comm, attached or not, else NULL; local. */
struct caucus_team *caucus_team_kept(MPI_Comm comm);

void caucus_team_hold(struct caucus_team *team);
void caucus_team_let_go(struct caucus_team *team);

/* The neighbours of this rank: found once. Local. */
int caucus_team_neighbors(struct caucus_team *team, const struct caucus_neighbors **neighbors);

/* Raises a status: with the team's communicator or, where that is freed, MPI_COMM_SELF's handler.
 * agreed: all ranks come here alike. */
int caucus_team_raise(const struct caucus_team *team, bool agreed, const char *function,
                      int status);

#endif
