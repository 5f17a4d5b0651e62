/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/circulant.h"

#include "plan/collective/cost.h"
#include "plan/collective/parts.h"

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

/* After each round a rank has as many blocks from its own on as the skip of the next one says. */
void caucus_circulant_allgather(struct caucus_builder *builder, int32_t root,
                                struct caucus_place data, const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size;
    int32_t index = caucus_circulant_back(size, builder->group.rank, root);
    struct caucus_circulant graph;
    caucus_circulant_init(&graph, size);
    for (int k = 0; k < graph.rounds; k++) {
        int32_t have = graph.skip[k], missing = graph.skip[k + 1] - have;
        int32_t to = caucus_circulant_back(size, index, have);
        int32_t from = caucus_circulant_on(size, index, have);
        struct caucus_rows sent = caucus_circulant_rows(cuts, index, missing);
        struct caucus_rows received = caucus_circulant_rows(cuts, from, missing);
        for (int i = 0; i < 2; i++) {
            caucus_emit_send(builder, caucus_circulant_on(size, to, root),
                             caucus_at(data, sent.begin[i]), sent.length[i]);
            caucus_emit_receive(builder, caucus_circulant_on(size, from, root),
                                caucus_at(data, received.begin[i]), received.length[i]);
        }
        caucus_end_step(builder);
    }
}

void caucus_allgather_by_circulant(struct caucus_builder *builder, struct caucus_place data,
                                   const int64_t *cut) {
    struct caucus_cuts cuts = {.parts = builder->group.size, .at = cut};
    caucus_circulant_allgather(builder, 0, data, &cuts);
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
