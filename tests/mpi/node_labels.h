/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks share a node, by CAUCUS_NODES or by MPI and not by Caucus; and which algorithms serve
 * there, by what the table says that they need. */
#ifndef TESTS_MPI_NODE_LABELS_H
#define TESTS_MPI_NODE_LABELS_H

#include "check.h"
#include "plan/collective/algorithm.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_LABELLED = 64 };

/* Of the world. */
struct node_labels {
    int label[MOST_LABELLED], ranks;
    bool several; /* some ranks share a node */
    bool one;     /* all do */
    bool blocks;  /* those of each node follow one another */
};

/* 2x3, 3,1,2 or cyclic:2. */
static inline void label_as_told(struct node_labels *l, const char *told) {
    int cycle = 0, nodes = 0, each = 0, rank = 0;
    if (sscanf(told, "cyclic:%d", &cycle) == 1) {
        for (; rank < l->ranks; rank++)
            l->label[rank] = rank % cycle;
    } else if (sscanf(told, "%dx%d", &nodes, &each) == 2) {
        for (; rank < l->ranks; rank++)
            l->label[rank] = rank / each;
    } else {
        for (const char *at = told; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL, nodes++)
            for (int left = atoi(at); left > 0 && rank < l->ranks; left--)
                l->label[rank++] = nodes;
    }
}

static inline void label_as_found(struct node_labels *l) {
    MPI_Comm node;
    int least = world_rank();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Bcast(&least, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    MPI_Allgather(&least, 1, MPI_INT, l->label, 1, MPI_INT, MPI_COMM_WORLD);
}

static inline struct node_labels node_labels(void) {
    struct node_labels l = {.ranks = world_size(), .one = true, .blocks = true};
    const char *told = getenv("CAUCUS_NODES");
    CHECK(l.ranks <= MOST_LABELLED, "%d ranks", l.ranks);
    if (told && *told)
        label_as_told(&l, told);
    else
        label_as_found(&l);
    for (int b = 1; b < l.ranks; b++) {
        l.one &= l.label[b] == l.label[0];
        for (int a = 0; a < b; a++) {
            l.several |= l.label[a] == l.label[b];
            l.blocks &= l.label[a] != l.label[b] || l.label[b - 1] == l.label[b];
        }
    }
    return l;
}

/* What counts and traffic need is exchanged at init. */
static inline bool must_serve(const struct node_labels *l, const struct caucus_algorithm *algorithm,
                              bool commutative) {
    const char *shared = getenv("CAUCUS_SHARED_MEMORY");
    bool memory = l->several && !(shared && strcmp(shared, "0") == 0);
    unsigned needs = algorithm->needs;
    return (memory || !(needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE))) &&
           (l->one || !(needs & CAUCUS_NEEDS_ONE_NODE)) &&
           (l->blocks || !(needs & CAUCUS_NEEDS_ORDERED)) &&
           (commutative || !(needs & CAUCUS_NEEDS_COMMUTATIVE));
}

#endif
