/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/circulant.h"

#include "plan/collective/cost.h"

void caucus_circulant_init(struct caucus_circulant *graph, int32_t size) {
    *graph = (struct caucus_circulant){.size = size};
    while (((int64_t)1 << graph->rounds) < size)
        graph->rounds++;
    graph->skip[graph->rounds] = size;
    for (int k = graph->rounds - 1; k >= 0; k--)
        graph->skip[k] = graph->skip[k + 1] / 2 + graph->skip[k + 1] % 2;
}

struct caucus_rows caucus_circulant_rows(const struct caucus_cuts *cuts, int32_t first,
                                         int32_t count) {
    int32_t straight = count < cuts->parts - first ? count : cuts->parts - first;
    int64_t begin = caucus_cut(cuts, first);
    return (struct caucus_rows){
        {begin, 0},
        {caucus_cut(cuts, first + straight) - begin, caucus_cut(cuts, count - straight)}};
}

double caucus_circulant_cost(const struct caucus_task *task, const struct caucus_model *model,
                             bool reduces) {
    double seconds = 0;
    struct caucus_circulant graph;
    caucus_circulant_init(&graph, task->ranks);
    for (int k = 0; k < graph.rounds; k++) {
        double blocks = graph.skip[k + 1] - graph.skip[k];
        double bytes = blocks * (double)task->volume / task->ranks;
        double pieces = reduces ? (double)caucus_vector_pieces(bytes) : 1;
        double message = caucus_cost_shift(task, model, graph.skip[k], bytes / pieces);
        double reduce = reduces ? caucus_cost_reduce(model, bytes / pieces) : 0;
        seconds += caucus_cost_overlap(message, reduce, pieces);
    }
    return seconds;
}
