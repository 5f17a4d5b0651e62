/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends to whom, and how much: pairs of ranks, neighbourhoods of all ranks, and all traffic. */
#include "study/collective/parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { LOWER = -1, UPPER = 1 };

int64_t caucus_problem_pair(const struct caucus_problem *problem, int32_t from, int32_t to) {
    if (problem->shape.first_group)
        return caucus_problem_pair_intergroup(problem, from, to);
    if (problem->shape.collective == CAUCUS_ALLTOALL)
        return problem->shape.bytes;
    bool turned = problem->shape.in_place && from > to; /* what comes must fit where others leave */
    return caucus_problem_length(problem, turned ? to : from, turned ? from : to);
}

int64_t caucus_problem_edge(const struct caucus_problem *problem, int32_t from, int64_t k) {
    switch (problem->shape.collective) {
    case CAUCUS_NEIGHBOR_ALLTOALLV:
    case CAUCUS_NEIGHBOR_ALLTOALLW:
        return caucus_problem_length(problem, from, k);
    case CAUCUS_NEIGHBOR_ALLGATHERV:
        return problem->block[from];
    default:
        return problem->shape.bytes;
    }
}

/* The neighbour of a cell along an axis, in row-major order; -1 beyond an edge. */
static int32_t star_neighbour(const struct caucus_problem_shape *shape, int32_t rank, int axis,
                              int direction) {
    int32_t stride = 1;
    for (int a = axis + 1; a < shape->axes; a++)
        stride *= shape->side[a];
    int32_t side = shape->side[axis], at = rank / stride % side, next = at + direction;
    if ((next < 0 || next >= side) && !shape->periodic[axis])
        return -1;
    return rank + ((next + side) % side - at) * stride;
}

static int64_t star_neighbours(const struct caucus_problem_shape *shape, int32_t rank, int first,
                               int32_t *neighbours) {
    int64_t count = 0;
    for (int axis = 0; axis < shape->axes; axis++)
        for (int side = 0; side < 2; side++) {
            int direction = side ? -first : first;
            int32_t neighbour = star_neighbour(shape, rank, axis, direction);
            if (neighbour >= 0)
                neighbours[count++] = neighbour;
        }
    return count;
}

static int64_t random_neighbours(const struct caucus_problem *problem, int32_t rank,
                                 int32_t *neighbours) {
    const struct caucus_problem_shape *shape = &problem->shape;
    int64_t count =
        (int64_t)(caucus_problem_hash(problem, rank, -2) % ((uint64_t)shape->degree + 1));
    for (int64_t k = 0; k < count; k++) {
        uint64_t hash = caucus_problem_hash(problem, rank, -3 - k);
        int32_t to = (int32_t)((hash >> 8) % (uint64_t)shape->ranks);
        neighbours[k] = hash % 8 == 0 ? rank : hash % 8 == 1 && k > 0 ? neighbours[k - 1] : to;
    }
    return count;
}

/* For a random neighbourhood the order of the sources is random too. */
static void shuffle(const struct caucus_problem *problem, int32_t rank, int32_t *source,
                    int64_t count) {
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = (int64_t)(caucus_problem_hash(problem, -1 - rank, k) % ((uint64_t)k + 1));
        int32_t kept = source[k];
        source[k] = source[other];
        source[other] = kept;
    }
}

static void fill_sources(struct caucus_problem *problem) {
    const struct caucus_problem_shape *shape = &problem->shape;
    int32_t ranks = shape->ranks;
    int64_t edges = problem->out_first[ranks];
    for (int64_t e = 0; e < edges; e++)
        problem->in_first[problem->destination[e] + 1]++;
    for (int32_t r = 0; r < ranks; r++)
        problem->in_first[r + 1] += problem->in_first[r];
    if (shape->neighbourhood == CAUCUS_NEIGHBOURHOOD_STAR) {
        for (int32_t r = 0; r < ranks; r++)
            star_neighbours(shape, r, UPPER, problem->source + problem->in_first[r]);
        return;
    }
    for (int32_t from = ranks; from-- > 0;) /* each rank's are filled from their end */
        for (int64_t e = problem->out_first[from]; e < problem->out_first[from + 1]; e++)
            problem->source[--problem->in_first[problem->destination[e] + 1]] = from;
    for (int32_t r = 0; r < ranks; r++) /* every entry is one rank early now */
        problem->in_first[r] = problem->in_first[r + 1];
    problem->in_first[ranks] = edges;
    for (int32_t r = 0; r < ranks; r++)
        shuffle(problem, r, problem->source + problem->in_first[r],
                problem->in_first[r + 1] - problem->in_first[r]);
}

struct edge {
    int32_t from, to;
    int64_t at;
};

static int by_ends(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* All edges, as their senders or their receivers list them, by their ends and then in that order.
 */
static struct edge *sort_edges(const struct caucus_problem *problem, bool sent) {
    const int64_t *first = sent ? problem->out_first : problem->in_first;
    const int32_t *other = sent ? problem->destination : problem->source;
    int32_t ranks = problem->shape.ranks;
    struct edge *edges = caucus_array(first[ranks], sizeof *edges);
    for (int32_t r = 0; edges && r < ranks; r++)
        for (int64_t e = first[r]; e < first[r + 1]; e++)
            edges[e] = sent ? (struct edge){r, other[e], e} : (struct edge){other[e], r, e};
    if (edges)
        qsort(edges, (size_t)first[ranks], sizeof *edges, by_ends);
    return edges;
}

/* The n-th edge from a to b ends at the n-th place of b for a. */
static int find_ends(struct caucus_problem *problem) {
    struct edge *sent = sort_edges(problem, true), *received = sort_edges(problem, false);
    int status = sent && received ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int64_t i = 0; !status && i < problem->out_first[problem->shape.ranks]; i++)
        problem->in_edge[received[i].at] = sent[i].at;
    free(sent);
    free(received);
    return status;
}

static int place_edges(struct caucus_problem *problem) {
    bool same_block = problem->shape.collective == CAUCUS_NEIGHBOR_ALLGATHER ||
                      problem->shape.collective == CAUCUS_NEIGHBOR_ALLGATHERV;
    for (int32_t r = 0; r < problem->shape.ranks; r++) {
        int64_t at = 0, first = problem->out_first[r];
        for (int64_t e = first; e < problem->out_first[r + 1]; e++) {
            problem->edge_at[e] = at;
            at += same_block ? 0 : caucus_problem_edge(problem, r, e - first);
        }
    }
    return find_ends(problem);
}

static int check(const struct caucus_problem_shape *shape) {
    int64_t cells = 1;
    if (shape->neighbourhood == CAUCUS_NEIGHBOURHOOD_RANDOM)
        return shape->degree >= 0 ? CAUCUS_OK
                                  : caucus_fail(CAUCUS_BAD_ARGUMENT, "a degree is at least 0");
    if (shape->neighbourhood != CAUCUS_NEIGHBOURHOOD_STAR)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%s needs a neighbourhood",
                           caucus_collective_name((int)shape->collective));
    if (shape->axes < 0 || shape->axes > CAUCUS_PROBLEM_AXES)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "a grid has 0 to %d axes", CAUCUS_PROBLEM_AXES);
    for (int axis = 0; axis < shape->axes; axis++) {
        if (shape->side[axis] < 1 || cells > shape->ranks)
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "side %d of the grid is %d", axis,
                               shape->side[axis]);
        cells *= shape->side[axis];
    }
    return cells == shape->ranks
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_ARGUMENT, "the grid has %lld cells, not %d",
                             (long long)cells, shape->ranks);
}

int caucus_problem_make_graph(struct caucus_problem *problem) {
    const struct caucus_problem_shape *shape = &problem->shape;
    int status = check(shape);
    if (status)
        return status;
    bool star = shape->neighbourhood == CAUCUS_NEIGHBOURHOOD_STAR;
    int64_t most = shape->ranks * (star ? 2 * (int64_t)shape->axes : shape->degree);
    problem->out_first = caucus_array((int64_t)shape->ranks + 1, sizeof *problem->out_first);
    problem->in_first = caucus_array((int64_t)shape->ranks + 1, sizeof *problem->in_first);
    problem->destination = caucus_array(most, sizeof *problem->destination);
    problem->source = caucus_array(most, sizeof *problem->source);
    problem->edge_at = caucus_array(most, sizeof *problem->edge_at);
    problem->in_edge = caucus_array(most, sizeof *problem->in_edge);
    if (!problem->out_first || !problem->in_first || !problem->destination || !problem->source ||
        !problem->edge_at || !problem->in_edge)
        return CAUCUS_NO_MEMORY;
    for (int32_t r = 0; r < shape->ranks; r++) {
        int32_t *neighbours = problem->destination + problem->out_first[r];
        problem->out_first[r + 1] =
            problem->out_first[r] + (star ? star_neighbours(shape, r, LOWER, neighbours)
                                          : random_neighbours(problem, r, neighbours));
    }
    fill_sources(problem);
    return place_edges(problem);
}

int caucus_problem_make_traffic(struct caucus_problem *problem) {
    int32_t ranks = problem->shape.ranks;
    bool alltoall = caucus_problem_is_alltoall(problem);
    if (!(problem->shape.exchanged & CAUCUS_NEEDS_TRAFFIC) ||
        (!alltoall && !caucus_problem_is_neighbor(problem)))
        return CAUCUS_OK;
    int64_t entries = alltoall ? (int64_t)ranks * ranks : problem->out_first[ranks], e = 0;
    int64_t *first = caucus_array((int64_t)ranks + 1, sizeof *first);
    int32_t *destination = caucus_array(entries, sizeof *destination);
    int64_t *bytes = caucus_array(entries, sizeof *bytes);
    problem->traffic = (struct caucus_traffic_table){first, destination, bytes};
    if (!first || !destination || !bytes)
        return CAUCUS_NO_MEMORY;
    for (int32_t r = 0; r < ranks; r++) {
        int64_t count = alltoall ? ranks : problem->out_first[r + 1] - problem->out_first[r];
        first[r + 1] = first[r] + count;
        for (int64_t k = 0; k < count; k++, e++) {
            destination[e] = alltoall ? (int32_t)k : problem->destination[e];
            bytes[e] = alltoall ? caucus_problem_pair(problem, r, (int32_t)k)
                                : caucus_problem_edge(problem, r, k);
        }
    }
    return CAUCUS_OK;
}
