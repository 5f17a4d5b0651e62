/* SPDX-License-Identifier: BSD-3-Clause */
/* Ties are listed by going through the edges twice by either end, as matrices are transposed: what
 * comes out is sorted, so that no sort is needed. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/graph/graph.h"

#include <stdlib.h>
#include <string.h>

static int make_room(struct caucus_ties *ties, int32_t vertices, int64_t count) {
    *ties = (struct caucus_ties){.vertices = vertices};
    ties->start = caucus_array((int64_t)vertices + 1, sizeof *ties->start);
    ties->to = caucus_array(count, sizeof *ties->to);
    ties->weight = caucus_array(count, sizeof *ties->weight);
    return ties->start && ties->to && ties->weight ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_ties_free(struct caucus_ties *ties) {
    free(ties->start);
    free(ties->to);
    free(ties->weight);
    memset(ties, 0, sizeof *ties);
}

static int64_t weight_of(const struct caucus_graph *graph, int64_t edge) {
    return graph->weight ? graph->weight[edge] : 1;
}

static bool counts(const struct caucus_graph *graph, int32_t vertex, int64_t edge) {
    return graph->to[edge] != vertex && weight_of(graph, edge) > 0;
}

/* Every edge that counts in the lists of both ends, in no order. */
static void list_both(const struct caucus_graph *graph, struct caucus_ties *both) {
    int64_t *next = both->start + 1; /* moves on to where the list of the next one starts */
    for (int32_t vertex = 0; vertex < graph->vertices; vertex++)
        for (int64_t k = graph->start[vertex]; k < graph->start[vertex + 1]; k++)
            if (counts(graph, vertex, k)) {
                next[vertex]++;
                next[graph->to[k]]++;
            }
    int64_t sum = 0;
    for (int32_t vertex = 0; vertex < graph->vertices; vertex++) {
        int64_t degree = next[vertex];
        next[vertex] = sum;
        sum += degree;
    }
    for (int32_t vertex = 0; vertex < graph->vertices; vertex++)
        for (int64_t k = graph->start[vertex]; k < graph->start[vertex + 1]; k++)
            if (counts(graph, vertex, k)) {
                int64_t mine = next[vertex]++, other = next[graph->to[k]]++;
                both->to[mine] = graph->to[k];
                both->to[other] = vertex;
                both->weight[mine] = both->weight[other] = weight_of(graph, k);
            }
}

/* The same lists sorted: who has vertex in his list, for one vertex after the other. */
static void sort_lists(const struct caucus_ties *from, struct caucus_ties *to) {
    memcpy(to->start, from->start, ((size_t)from->vertices + 1) * sizeof *to->start);
    for (int32_t vertex = 0; vertex < from->vertices; vertex++)
        for (int64_t k = from->start[vertex]; k < from->start[vertex + 1]; k++) {
            int64_t at = to->start[from->to[k]]++;
            to->to[at] = vertex;
            to->weight[at] = from->weight[k];
        }
    for (int32_t vertex = from->vertices; vertex > 0; vertex--)
        to->start[vertex] = to->start[vertex - 1];
    to->start[0] = 0;
}

/* Equal neighbours stand side by side. */
static void put_together(struct caucus_ties *ties) {
    int64_t kept = 0, first = 0;
    for (int32_t vertex = 0; vertex < ties->vertices; vertex++) {
        int64_t begin = kept, end = ties->start[vertex + 1];
        for (int64_t k = first; k < end; k++) {
            if (kept > begin && ties->to[kept - 1] == ties->to[k]) {
                ties->weight[kept - 1] += ties->weight[k];
                continue;
            }
            ties->to[kept] = ties->to[k];
            ties->weight[kept++] = ties->weight[k];
        }
        first = end;
        ties->start[vertex + 1] = kept;
    }
}

int caucus_ties_init(const struct caucus_graph *graph, struct caucus_ties *ties) {
    struct caucus_ties both;
    int64_t most = 2 * graph->start[graph->vertices];
    memset(ties, 0, sizeof *ties);
    int status = make_room(&both, graph->vertices, most);
    if (!status)
        status = make_room(ties, graph->vertices, most);
    if (!status) {
        list_both(graph, &both);
        sort_lists(&both, ties);
        put_together(ties);
    }
    caucus_ties_free(&both);
    if (status)
        caucus_ties_free(ties);
    return status;
}

int caucus_ties_among(const struct caucus_ties *ties, int32_t count, const int32_t *vertex,
                      int32_t *number, struct caucus_ties *among) {
    int64_t most = 0, kept = 0;
    for (int32_t i = 0; i < count; i++) {
        most += ties->start[vertex[i] + 1] - ties->start[vertex[i]];
        number[vertex[i]] = i;
    }
    int status = make_room(among, count, most);
    for (int32_t i = 0; i < count && !status; i++) {
        for (int64_t k = ties->start[vertex[i]]; k < ties->start[vertex[i] + 1]; k++) {
            if (number[ties->to[k]] < 0)
                continue;
            among->to[kept] = number[ties->to[k]];
            among->weight[kept++] = ties->weight[k];
        }
        among->start[i + 1] = kept;
    }
    for (int32_t i = 0; i < count; i++)
        number[vertex[i]] = -1;
    if (status)
        caucus_ties_free(among);
    return status;
}

int64_t caucus_ties_cut(const struct caucus_ties *ties, const int32_t *part_of_vertex) {
    int64_t cut = 0;
    for (int32_t vertex = 0; vertex < ties->vertices; vertex++)
        for (int64_t k = ties->start[vertex]; k < ties->start[vertex + 1]; k++)
            if (part_of_vertex[ties->to[k]] != part_of_vertex[vertex])
                cut += ties->weight[k];
    return cut / 2;
}
