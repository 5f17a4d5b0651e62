/* SPDX-License-Identifier: BSD-3-Clause */
/* What a caller wants of a graph, checked and agreed on. */
#ifndef CAUCUS_API_GRAPH_REQUEST_H
#define CAUCUS_API_GRAPH_REQUEST_H

#include "plan/graph/graph.h"
#include "run/graph/role_edges.h"

#include <stdbool.h>
#include <stdint.h>

/* Plain bytes: rank 0's hold for all. */
struct caucus_graph_settings {
    double threshold;
    int64_t central;
    int64_t seed;
    bool chaos, verbose;
};

enum caucus_graph_form {
    CAUCUS_GRAPH_ADJACENT, /* each rank its own edges */
    CAUCUS_GRAPH_EDGES,    /* each rank some edges */
    CAUCUS_GRAPH_WHOLE     /* each rank all of the graph */
};

struct caucus_graph_request {
    /* As given by the caller; what is not of the form is 0. */
    const char *function;
    enum caucus_graph_form form;
    int indegree, outdegree;
    const int *sources, *source_weights, *destinations, *destination_weights;
    int count; /* of sources, or of the graph's nodes */
    const int *degrees, *weights, *index, *edges;
    MPI_Info info;
    bool reorder;
    const void *result; /* where the caller wants it */
    /* Filled by caucus_graph_request_agree; to be freed. */
    bool weighted;
    struct caucus_role_edges neighbors; /* but not of a whole graph: */
    struct caucus_graph graph;          /* its start is owned */
    struct caucus_graph_settings settings;
};

/* Whether the settings that are read for graphs have values that they may have. Local. */
int caucus_graph_check_settings(void);

/* All ranks check their arguments and settings, and that all have the same where they must; then
 * every rank has the edges of its own role. Collective; all ranks get the same status. status: of
 * what the caller did on this rank before. */
int caucus_graph_request_agree(struct caucus_graph_request *request,
                               const struct caucus_attachment *attachment, int status);
void caucus_graph_request_free(struct caucus_graph_request *request);

#endif
