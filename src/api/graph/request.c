/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/graph/request.h"

#include "api/common/hint.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/peers/agree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* From this process's environment, the hint first. */
static int read_settings(const char *threshold, struct caucus_graph_settings *settings) {
    memset(settings, 0, sizeof *settings);
    int status = caucus_hint_threshold(threshold, &settings->threshold);
    if (!status)
        status = caucus_setting_integer(CAUCUS_SETTING_GRAPH_CENTRAL, 0, &settings->central);
    settings->chaos = *caucus_setting_text(CAUCUS_SETTING_CHAOS) != '\0';
    if (!status && settings->chaos)
        status = caucus_setting_integer(CAUCUS_SETTING_CHAOS, INT64_MIN, &settings->seed);
    return status ? status : caucus_setting_is(CAUCUS_SETTING_VERBOSE, "1", &settings->verbose);
}

int caucus_graph_check_settings(void) {
    struct caucus_graph_settings settings;
    return read_settings("", &settings);
}

enum { MOST_EDGES = INT_MAX / 2 }; /* of a rank: with their weights they fit into a message */

/* A list of numbers from 0 to most, INT_MAX for weights. */
static int check_list(const char *name, int count, const int *list, int most) {
    if (count < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the length of %s is %d: it must not be negative",
                           name, count);
    if (count > 0 && !list)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer: %d entries are needed", name,
                           count);
    for (int i = 0; i < count; i++) {
        if (list[i] >= 0 && list[i] <= most)
            continue;
        if (most == INT_MAX)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s[%d] is %d: it must not be negative", name,
                               i, list[i]);
        return caucus_fail(CAUCUS_BAD_RANK, "%s[%d] is %d: it must be a rank, 0 to %d", name, i,
                           list[i], most);
    }
    return CAUCUS_OK;
}

/* The neighbours at one end of a rank's edges. */
static int check_neighbors(const char *name, int count, const int *list, int ranks) {
    if (count > MOST_EDGES)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the length of %s is %d: it may be %d at most",
                           name, count, MOST_EDGES);
    return check_list(name, count, list, ranks - 1);
}

static int check_weights(const char *name, int count, const int *weights) {
    if (weights == MPI_UNWEIGHTED || (count == 0 && weights == MPI_WEIGHTS_EMPTY))
        return CAUCUS_OK;
    if (weights == MPI_WEIGHTS_EMPTY)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is MPI_WEIGHTS_EMPTY: there are %d edges", name,
                           count);
    return count > 0 ? check_list(name, count, weights, INT_MAX) : CAUCUS_OK;
}

static int check_adjacent(const struct caucus_graph_request *request, int ranks) {
    const int *in = request->source_weights, *out = request->destination_weights;
    int status = check_neighbors("sources", request->indegree, request->sources, ranks);
    if (!status)
        status = check_neighbors("destinations", request->outdegree, request->destinations, ranks);
    if (!status && request->indegree > 0 && request->outdegree > 0 &&
        (in == MPI_UNWEIGHTED) != (out == MPI_UNWEIGHTED))
        status = caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "of sourceweights and destweights one is MPI_UNWEIGHTED alone");
    if (!status)
        status = check_weights("sourceweights", request->indegree, in);
    return status ? status : check_weights("destweights", request->outdegree, out);
}

/* How many edges a rank names. */
static int count_edges(const struct caucus_graph_request *request, int *count) {
    int64_t sum = 0;
    int status = check_list("degrees", request->count, request->degrees, INT_MAX);
    for (int i = 0; i < request->count && !status; i++)
        sum += request->degrees[i];
    if (!status && sum > MOST_EDGES)
        status =
            caucus_fail(CAUCUS_BAD_ARGUMENT, "the sum of degrees is %lld: it may be %d at most",
                        (long long)sum, MOST_EDGES);
    *count = (int)sum;
    return status;
}

static int check_edges(const struct caucus_graph_request *request, int ranks) {
    int count, status = check_list("sources", request->count, request->sources, ranks - 1);
    if (!status)
        status = count_edges(request, &count);
    if (!status)
        status = check_list("destinations", count, request->destinations, ranks - 1);
    return status ? status : check_weights("weights", count, request->weights);
}

static int check_whole(const struct caucus_graph_request *request, int ranks) {
    if (request->count < 0 || request->count > ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "nnodes is %d: it must be 0 to %d, the size of the communicator",
                           request->count, ranks);
    int status = check_list("index", request->count, request->index, INT_MAX);
    for (int i = 1; i < request->count && !status; i++)
        if (request->index[i] < request->index[i - 1])
            status = caucus_fail(CAUCUS_BAD_ARGUMENT, "index[%d] is %d, less than the %d before it",
                                 i, request->index[i], request->index[i - 1]);
    int edges = !status && request->count > 0 ? request->index[request->count - 1] : 0;
    return status ? status : check_list("edges", edges, request->edges, request->count - 1);
}

static int check(const struct caucus_graph_request *request, int ranks) {
    if (!request->result)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the result's address is a null pointer");
    switch (request->form) {
    case CAUCUS_GRAPH_ADJACENT:
        return check_adjacent(request, ranks);
    case CAUCUS_GRAPH_EDGES:
        return check_edges(request, ranks);
    default:
        return check_whole(request, ranks);
    }
}

/* Whether this rank gives weights, or none: a list without edges says nothing unless all are. */
struct says {
    int64_t unweighted, weighted, if_no_edges;
};

static struct says hear(int64_t count, const int *weights) {
    bool weighted = weights != MPI_UNWEIGHTED;
    return (struct says){count > 0 && !weighted, count > 0 && weighted, weighted};
}

/* Whether the graph has weights. Collective. */
static int agree_on_weights(struct caucus_graph_request *request,
                            const struct caucus_attachment *attachment) {
    struct says says[2] = {{0}};
    int count = 0;
    if (request->form == CAUCUS_GRAPH_WHOLE)
        return CAUCUS_OK;
    if (request->form == CAUCUS_GRAPH_ADJACENT) {
        says[0] = hear(request->indegree, request->source_weights);
        says[1] = hear(request->outdegree, request->destination_weights);
    } else {
        count_edges(request, &count);
        says[0] = hear(count, request->weights);
    }
    int64_t numbers[] = {says[0].unweighted | says[1].unweighted,
                         says[0].weighted | says[1].weighted,
                         says[0].if_no_edges | says[1].if_no_edges};
    int status = caucus_max_all(attachment, numbers, 3);
    if (!status && numbers[0] && numbers[1])
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "some ranks give weights and others MPI_UNWEIGHTED: all must or none");
    request->weighted = numbers[1] || (!numbers[0] && numbers[2]);
    return status;
}

static int agree(const struct caucus_graph_request *request,
                 const struct caucus_attachment *attachment, const char *threshold, int status) {
    bool whole = request->form == CAUCUS_GRAPH_WHOLE;
    int reorder = request->reorder;
    int nodes = whole ? request->count : 0;
    int64_t edges = nodes > 0 && !status ? request->index[nodes - 1] : 0;
    struct caucus_item items[] = {
        {"the function called", CAUCUS_ITEM_TEXT, request->function, 0},
        {"reorder", CAUCUS_ITEM_INTEGERS, &reorder, 1},
        {"the info key caucus_cart_threshold", CAUCUS_ITEM_TEXT, threshold, 0},
        {"nnodes", CAUCUS_ITEM_INTEGERS, &nodes, 1},
        {"index", CAUCUS_ITEM_INTEGERS, status || nodes == 0 ? NULL : request->index,
         status ? 0 : nodes},
        {"edges", CAUCUS_ITEM_INTEGERS, edges > 0 ? request->edges : NULL, edges},
    };
    return caucus_agree(&attachment->peers, status, sizeof items / sizeof *items, items);
}

static void copy(int count, const int *from, const int *weight, bool weighted, int *to,
                 int *weights) {
    for (int i = 0; i < count; i++) {
        to[i] = from[i];
        weights[i] = weighted ? weight[i] : 1;
    }
}

/* Each rank's own edges, as it gives them. */
static int copy_adjacent(struct caucus_graph_request *request,
                         const struct caucus_attachment *attachment) {
    bool weighted = request->weighted;
    struct caucus_role_edges *neighbors = &request->neighbors;
    int status = caucus_role_edges_init(neighbors, request->indegree, request->outdegree, weighted);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (status)
        return status;
    copy(request->indegree, request->sources, request->source_weights, weighted, neighbors->sources,
         neighbors->source_weights);
    copy(request->outdegree, request->destinations, request->destination_weights, weighted,
         neighbors->destinations, neighbors->destination_weights);
    return CAUCUS_OK;
}

static int bring_edges(struct caucus_graph_request *request,
                       const struct caucus_attachment *attachment) {
    struct caucus_edge_list edges = {.to = request->destinations,
                                     .weight = request->weighted ? request->weights : NULL};
    int status = count_edges(request, &edges.count), at = 0;
    int *from = caucus_array(edges.count, sizeof *from);
    if (!from)
        status = CAUCUS_NO_MEMORY;
    for (int i = 0; i < request->count && !status; i++)
        for (int k = 0; k < request->degrees[i]; k++)
            from[at++] = request->sources[i];
    edges.from = from;
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status =
            caucus_role_edges_assemble(attachment, &edges, request->weighted, &request->neighbors);
    free(from);
    return status;
}

/* On every rank; its edges stay the caller's. */
static int take_whole(struct caucus_graph_request *request,
                      const struct caucus_attachment *attachment) {
    int64_t *start = caucus_array((int64_t)request->count + 1, sizeof *start);
    for (int i = 0; i < request->count && start; i++)
        start[i + 1] = request->index[i];
    request->graph = (struct caucus_graph){request->count, start, request->edges, NULL};
    return caucus_agree(&attachment->peers, start ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
}

int caucus_graph_request_agree(struct caucus_graph_request *request,
                               const struct caucus_attachment *attachment, int status) {
    char threshold[CAUCUS_INFO_VALUE] = "";
    if (!status)
        status = check(request, attachment->size);
    if (!status)
        status = caucus_hint_read(request->info, CAUCUS_SETTING_CART_THRESHOLD, threshold);
    if (!status)
        status = read_settings(threshold, &request->settings);
    status = agree(request, attachment, threshold, status);
    if (!status)
        status = caucus_bcast_all(attachment, &request->settings, sizeof request->settings);
    if (!status)
        status = agree_on_weights(request, attachment);
    if (status)
        return status;
    return request->form == CAUCUS_GRAPH_ADJACENT ? copy_adjacent(request, attachment)
           : request->form == CAUCUS_GRAPH_EDGES  ? bring_edges(request, attachment)
                                                  : take_whole(request, attachment);
}

void caucus_graph_request_free(struct caucus_graph_request *request) {
    caucus_role_edges_free(&request->neighbors);
    free((void *)(uintptr_t)request->graph.start);
    request->graph.start = NULL;
}
