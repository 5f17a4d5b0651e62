/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_COMM_WORLD in two groups, with an intercommunicator between them: so many nodes each, or
 * "mixed": the ranks of every node by turns. */
#ifndef CAUCUS_BENCH_INTERGROUP_GROUPS_H
#define CAUCUS_BENCH_INTERGROUP_GROUPS_H

#include "run/attachment/attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct groups {
    MPI_Comm local, inter;
    int ranks, nodes;
    int rank[2];    /* of the whole, and of the own group */
    int size[2];    /* ranks of either group */
    int mine;       /* 0 or 1 */
    int *node_of;   /* [rank of the whole] */
    int *group_of;  /* [rank of the whole] */
    int node;       /* of this rank */
    int leads_node; /* the lowest rank of it */
};

static inline int groups_read(const char *text, int nodes, int *first) {
    int second = 0, used = 0;
    if (strcmp(text, "mixed") == 0)
        return *first = -1, 1;
    return sscanf(text, "%d:%d%n", first, &second, &used) == 2 && text[used] == '\0' &&
           *first > 0 && second > 0 && *first + second == nodes;
}

/* 0 where the text does not fit the nodes at hand. */
static inline int groups_make(struct groups *groups, const char *text) {
    struct caucus_attachment *attachment;
    int first, remote, local_rank;
    if (caucus_attach(MPI_COMM_WORLD, &attachment))
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    MPI_Comm_rank(MPI_COMM_WORLD, &groups->rank[0]);
    MPI_Comm_size(MPI_COMM_WORLD, &groups->ranks);
    groups->nodes = attachment->nodes.count;
    groups->node = attachment->node_index;
    local_rank = attachment->local_rank;
    groups->leads_node = local_rank == 0;
    if (!groups_read(text, groups->nodes, &first))
        return 0;
    groups->mine = first < 0 ? local_rank % 2 : groups->node >= first;
    groups->node_of = calloc((size_t)groups->ranks, sizeof(int));
    groups->group_of = calloc((size_t)groups->ranks, sizeof(int));
    if (!groups->node_of || !groups->group_of)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    MPI_Allgather(&groups->node, 1, MPI_INT, groups->node_of, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&groups->mine, 1, MPI_INT, groups->group_of, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, groups->mine, groups->rank[0], &groups->local);
    MPI_Comm_rank(groups->local, &groups->rank[1]);
    MPI_Comm_size(groups->local, &groups->size[groups->mine]);
    groups->size[!groups->mine] = groups->ranks - groups->size[groups->mine];
    for (remote = 0; remote < groups->ranks && groups->group_of[remote] == groups->mine;)
        remote++;
    if (remote == groups->ranks)
        return 0;
    MPI_Intercomm_create(groups->local, 0, MPI_COMM_WORLD, remote, 1, &groups->inter);
    MPI_Comm_set_errhandler(groups->inter, MPI_ERRORS_RETURN);
    return 1;
}

static inline void groups_free(struct groups *groups) {
    MPI_Comm_free(&groups->inter);
    MPI_Comm_free(&groups->local);
    free(groups->node_of);
    free(groups->group_of);
}

#endif
