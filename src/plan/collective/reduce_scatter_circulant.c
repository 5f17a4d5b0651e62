/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter over the circulant graph (J. L. Träff, "Optimal, non-pipelined reduce-scatter and
 * allreduce algorithms", arXiv 2410.14234). Rank r begins with its operands for ranks r … r + p - 1
 * (modulo p), and with s = p.
 *
 *   round   h = ⌈s / 2⌉: send what there is for ranks r + h … r + s - 1 to rank r + h,
 *           get the same from r - h, add it to what there is for r … r + s - h - 1; s = h
 *
 * Cost: ⌈log2 p⌉ rounds, p - 1 blocks sent and received and reduced. For commutative operations;
 * any p, any blocks. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

void caucus_reduce_scatter_circulant(struct caucus_builder *builder,
                                     const struct caucus_task *task) {
    struct caucus_cuts cuts = caucus_task_cuts(builder, task);
    if (!builder->status)
        caucus_reduce_scatter_by_circulant(builder, caucus_vector_in(task), caucus_vector_out,
                                           &cuts);
    caucus_cuts_free(&cuts);
}

static int64_t rows_bytes(const struct caucus_cuts *cuts, int32_t first, int32_t count) {
    struct caucus_rows rows = caucus_circulant_rows(cuts, first, count);
    return rows.length[0] + rows.length[1];
}

/* Piece i of both rows together. */
static struct caucus_rows rows_piece(const struct caucus_rows *rows, int64_t element,
                                     int64_t pieces, int64_t i) {
    int64_t first = rows->length[0];
    struct caucus_range whole = {0, first + rows->length[1]};
    struct caucus_range piece = caucus_vector_piece(whole, element, pieces, i);
    int64_t middle = piece.begin > first ? piece.begin : piece.end < first ? piece.end : first;
    return (struct caucus_rows){
        {rows->begin[0] + piece.begin, rows->begin[1] + middle - first},
        {middle - piece.begin, piece.end - middle},
    };
}

/* What goes to one rank, and comes from another one. It comes to got, and, once it is there, goes
 * from source to target, one of which is got. These are places of byte 0, for each row. */
struct transfer {
    int32_t to, from;
    struct caucus_rows sent, received;
    struct caucus_place data, got[2], source[2], target[2];
};

/* Piece by piece: one is combined while the next one comes. */
static void emit_transfer(struct caucus_builder *builder, const struct transfer *transfer,
                          int64_t element, int64_t pieces) {
    for (int64_t k = 0; k <= pieces; k++) {
        struct caucus_rows going = rows_piece(&transfer->sent, element, pieces, k);
        struct caucus_rows coming = rows_piece(&transfer->received, element, pieces, k);
        struct caucus_rows came = rows_piece(&transfer->received, element, pieces, k - 1);
        for (int i = 0; i < 2; i++) {
            caucus_emit_send(builder, transfer->to, caucus_at(transfer->data, going.begin[i]),
                             going.length[i]);
            caucus_emit_receive(builder, transfer->from,
                                caucus_at(transfer->got[i], coming.begin[i]), coming.length[i]);
            caucus_emit_reduce(builder, caucus_at(transfer->source[i], came.begin[i]),
                               caucus_at(transfer->target[i], came.begin[i]), came.length[i]);
        }
        caucus_end_step(builder);
    }
}

/* The mean of what ranks send in a round. */
static int64_t round_pieces(const struct caucus_cuts *cuts, int32_t given) {
    return caucus_vector_pieces((double)caucus_cut(cuts, cuts->parts) * given / cuts->parts);
}

/* The first round leaves what remains in work, in the circle's order from the own block on. */
static void first_round(struct caucus_builder *builder, struct caucus_place in,
                        struct caucus_place work, const struct caucus_cuts *cuts, int32_t half) {
    int32_t size = builder->group.size, rank = builder->group.rank, given = size - half;
    int32_t to = caucus_circulant_on(size, rank, half);
    struct transfer transfer = {.to = to,
                                .from = caucus_circulant_back(size, rank, half),
                                .sent = caucus_circulant_rows(cuts, to, given),
                                .received = caucus_circulant_rows(cuts, rank, given),
                                .data = in};
    struct caucus_rows rest =
        caucus_circulant_rows(cuts, caucus_circulant_on(size, rank, given), half - given);
    for (int i = 0; i < 2; i++) {
        transfer.got[i] = caucus_at(work, -transfer.received.begin[i]);
        transfer.source[i] = in;
        transfer.target[i] = transfer.got[i];
        work = caucus_at(work, transfer.received.length[i]);
    }
    for (int i = 0; i < 2; i++) {
        caucus_emit_copy(builder, caucus_at(in, rest.begin[i]), work, rest.length[i]);
        work = caucus_at(work, rest.length[i]);
    }
    emit_transfer(builder, &transfer, cuts->element, round_pieces(cuts, given));
}

static void other_rounds(struct caucus_builder *builder, const struct caucus_circulant *graph,
                         struct caucus_place work, const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place scratch = {CAUCUS_BUFFER_SCRATCH, 0};
    for (int k = graph->rounds - 2; k >= 0; k--) {
        int32_t kept = graph->skip[k], given = graph->skip[k + 1] - kept;
        int32_t to = caucus_circulant_on(size, rank, kept);
        int64_t length = rows_bytes(cuts, rank, given);
        if (k == graph->rounds - 2)
            scratch = caucus_reserve_scratch(builder, length);
        struct transfer transfer = {
            .to = to,
            .from = caucus_circulant_back(size, rank, kept),
            .sent = {{rows_bytes(cuts, rank, kept)}, {rows_bytes(cuts, to, given)}},
            .received = {{0}, {length}},
            .data = work,
            .got = {scratch, scratch},
            .source = {scratch, scratch},
            .target = {work, work}};
        emit_transfer(builder, &transfer, cuts->element, round_pieces(cuts, given));
    }
}

void caucus_reduce_scatter_by_circulant(struct caucus_builder *builder, struct caucus_place in,
                                        struct caucus_place out, const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place work = in;
    struct caucus_circulant graph;
    caucus_circulant_init(&graph, size);
    if (size > 1) {
        int32_t half = graph.skip[graph.rounds - 1];
        work = caucus_reserve_scratch(builder, rows_bytes(cuts, rank, half));
        first_round(builder, in, work, cuts, half);
        other_rounds(builder, &graph, work, cuts);
    }
    caucus_emit_copy(builder, work, out, caucus_cut(cuts, rank + 1) - caucus_cut(cuts, rank));
    caucus_end_step(builder);
}

double caucus_reduce_scatter_circulant_cost(const struct caucus_task *task,
                                            const struct caucus_model *model) {
    double block = (double)task->volume / task->ranks;
    return caucus_circulant_cost(task, model, true) + caucus_cost_copy(model, block);
}
