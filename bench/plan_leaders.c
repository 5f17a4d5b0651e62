/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaders of nodes that divide a graph none of them has whole (src/plan/graph/leader.h), all played
 * in one process:
 *     plan_leaders SIDE PER_NODE [shuffled]
 * a torus of SIDE x SIDE x SIDE ranks with six neighbours each, numbered row by row or at random,
 * on nodes of PER_NODE ranks. Prints what it saves, what it takes of one leader on average, and the
 * most numbers of eight bytes that one leader sends or gets in a step, as a line of JSON. */
#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "study/graph/leaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NEIGHBORS = 6 };

static int32_t name_of(int32_t side, const int32_t at[3], bool shuffled) {
    int64_t cell = ((int64_t)at[0] * side + at[1]) * side + at[2];
    return (int32_t)(shuffled ? caucus_permute(1, (int64_t)side * side * side, cell) : cell);
}

static void fill(int32_t side, bool shuffled, int64_t *start, int32_t *to) {
    int32_t at[3];
    for (at[0] = 0; at[0] < side; at[0]++)
        for (at[1] = 0; at[1] < side; at[1]++)
            for (at[2] = 0; at[2] < side; at[2]++) {
                int32_t *list = to + (int64_t)NEIGHBORS * name_of(side, at, shuffled);
                for (int k = 0; k < NEIGHBORS; k++) {
                    int32_t there[3] = {at[0], at[1], at[2]};
                    there[k / 2] = (at[k / 2] + (k % 2 ? 1 : side - 1)) % side;
                    list[k] = name_of(side, there, shuffled);
                }
            }
    for (int64_t i = 0; i <= (int64_t)side * side * side; i++)
        start[i] = NEIGHBORS * i;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print(const struct caucus_leaders *leaders, int32_t ranks, double seconds) {
    double given = 0, placed = 0;
    for (int32_t i = 0; i < leaders->count; i++) {
        given += leaders->leader[i].given.leaving;
        placed += leaders->leader[i].placed.leaving;
    }
    printf(
        "{\"ranks\": %d, \"nodes\": %d, \"given\": %g, \"placed\": %g, \"rounds\": %d, "
        "\"steps\": %d, \"ms_per_leader\": %.3g, \"numbers_per_leader\": %.3g, \"most\": %lld}\n",
        ranks, leaders->count, given, placed, leaders->leader[0].round, leaders->steps,
        1e3 * seconds / leaders->count, (double)leaders->numbers / leaders->count,
        (long long)leaders->most);
}

int main(int argc, char **argv) {
    int32_t side = argc > 1 ? atoi(argv[1]) : 16, per_node = argc > 2 ? atoi(argv[2]) : 16;
    int32_t ranks = side * side * side;
    bool shuffled = argc > 3 && strcmp(argv[3], "shuffled") == 0;
    if (side < 3 || side > 1000 || per_node < 1 || ranks % per_node != 0) {
        fprintf(stderr, "usage: plan_leaders SIDE PER_NODE [shuffled]\n");
        return 2;
    }
    struct caucus_nodes nodes = caucus_nodes_alike(ranks / per_node, per_node);
    struct caucus_leaders leaders;
    int64_t *start = caucus_array((int64_t)ranks + 1, sizeof *start);
    int32_t *to = caucus_array((int64_t)NEIGHBORS * ranks, sizeof *to);
    int32_t *node = caucus_array(ranks, sizeof *node);
    if (!start || !to || !node)
        return 1;
    fill(side, shuffled, start, to);
    for (int32_t rank = 0; rank < ranks; rank++)
        node[rank] = rank / per_node;
    struct caucus_graph graph = {ranks, start, to, NULL};
    double begin = now();
    int status = caucus_leaders_play(&graph, &nodes, node, &leaders);
    if (status)
        fprintf(stderr, "plan_leaders: %s\n", caucus_error_text());
    else
        print(&leaders, ranks, now() - begin);
    caucus_leaders_free(&leaders);
    free(start);
    free(to);
    free(node);
    return status ? 1 : 0;
}
