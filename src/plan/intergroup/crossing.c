/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/crossing.h"

#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

struct piece {
    int64_t begin, end;
    int64_t above; /* a multiple of the height */
    int32_t peer;  /* in the union */
};

struct pieces {
    struct piece *piece; /* owned */
    int64_t count, room, height;
    int status;
};

static int64_t longest(const struct caucus_crossing *crossing) {
    const struct caucus_shares *sides[] = {&crossing->from, &crossing->to};
    int64_t most = 1;
    for (int side = 0; side < 2; side++)
        for (int32_t i = 0; i < sides[side]->ranks; i++) {
            int64_t length = sides[side]->cut[i + 1] - sides[side]->cut[i];
            most = length > most ? length : most;
        }
    return most;
}

/* Cut at multiples of the height. */
static void add(struct pieces *pieces, int64_t begin, int64_t end, int32_t peer) {
    for (int64_t next; begin < end && !pieces->status; begin = next) {
        next = (begin / pieces->height + 1) * pieces->height;
        next = next < end ? next : end;
        if (pieces->count == pieces->room) {
            int64_t room = pieces->room ? 2 * pieces->room : 16;
            void *more = realloc(pieces->piece, (size_t)room * sizeof *pieces->piece);
            if (!more) {
                pieces->status = CAUCUS_NO_MEMORY;
                return;
            }
            pieces->piece = more;
            pieces->room = room;
        }
        pieces->piece[pieces->count++] = (struct piece){begin, next, begin % pieces->height, peer};
    }
}

static int compare(const void *left, const void *right) {
    const struct piece *a = left, *b = right;
    if (a->above != b->above)
        return a->above < b->above ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* What a share has in common with those of the peers, in the order in which it goes. */
static struct pieces find(struct caucus_builder *builder, const struct caucus_crossing *crossing,
                          const struct caucus_shares *own, const struct caucus_shares *peers) {
    struct pieces pieces = {.height = longest(crossing)};
    int32_t index = builder->group.rank - own->first;
    int64_t begin = own->cut[index], end = own->cut[index + 1];
    for (int32_t i = 0; i < peers->ranks; i++) {
        int64_t low = peers->cut[i], high = peers->cut[i + 1];
        add(&pieces, low > begin ? low : begin, high < end ? high : end, peers->first + i);
    }
    if (pieces.status)
        caucus_builder_fail(builder, pieces.status, "no memory for the messages of a crossing");
    else if (pieces.count > 0)
        qsort(pieces.piece, (size_t)pieces.count, sizeof *pieces.piece, compare);
    return pieces;
}

void caucus_crossing_send(struct caucus_builder *builder, const struct caucus_crossing *crossing,
                          struct caucus_place row) {
    struct pieces pieces = find(builder, crossing, &crossing->from, &crossing->to);
    for (int64_t i = 0; i < pieces.count; i++)
        caucus_emit_send(builder, pieces.piece[i].peer, caucus_at(row, pieces.piece[i].begin),
                         pieces.piece[i].end - pieces.piece[i].begin);
    free(pieces.piece);
}

void caucus_crossing_receive(struct caucus_builder *builder, const struct caucus_crossing *crossing,
                             struct caucus_place row) {
    struct pieces pieces = find(builder, crossing, &crossing->to, &crossing->from);
    for (int64_t i = 0; i < pieces.count; i++)
        caucus_emit_receive(builder, pieces.piece[i].peer, caucus_at(row, pieces.piece[i].begin),
                            pieces.piece[i].end - pieces.piece[i].begin);
    free(pieces.piece);
}

double caucus_crossing_cost(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t bytes, int64_t longest_share) {
    if (bytes == 0 || longest_share == 0)
        return 0;
    double at_a_time = ceil((double)bytes / (double)longest_share);
    double more = ceil(task->ranks / at_a_time) - 1;
    return caucus_cost_message(task, model, (double)longest_share) +
           more * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]);
}

int64_t *caucus_side_cuts(struct caucus_builder *builder, const struct caucus_group_blocks *side) {
    int64_t *cut = malloc(((size_t)side->ranks + 1) * sizeof *cut);
    if (!cut || caucus_group_total(side) < 0) {
        caucus_builder_fail(builder, cut ? CAUCUS_BAD_ARGUMENT : CAUCUS_NO_MEMORY,
                            "the blocks of %d ranks are too many or too long", (int)side->ranks);
        free(cut);
        return NULL;
    }
    cut[0] = 0;
    for (int32_t i = 0; i < side->ranks; i++)
        cut[i + 1] = cut[i] + caucus_group_block(side, i);
    return cut;
}

struct caucus_group caucus_intergroup_enter_own(struct caucus_builder *builder,
                                                const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task);
    return caucus_enter_group(builder, (struct caucus_group){.size = own.ranks,
                                                             .rank = task->rank - own.first,
                                                             .first = own.first});
}

bool caucus_even_shares_init(struct caucus_even_shares *shares, const struct caucus_task *task,
                             int64_t bytes) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    *shares = (struct caucus_even_shares){*task, caucus_array(task->ranks, sizeof *shares->length)};
    if (!shares->length)
        return false;
    for (int32_t rank = 0; rank < task->ranks; rank++) {
        bool ours = rank >= own.first && rank < own.first + own.ranks;
        struct caucus_group_blocks side = ours ? own : other;
        int32_t i = rank - side.first;
        shares->length[rank] = caucus_vector_cut(bytes, task->element, side.ranks, i + 1) -
                               caucus_vector_cut(bytes, task->element, side.ranks, i);
    }
    shares->task.collective = CAUCUS_REDUCE_SCATTER;
    shares->task.receive_bytes = shares->length + own.first;
    shares->task.send_bytes = shares->length + other.first;
    return true;
}

struct caucus_task caucus_intergroup_part(const struct caucus_task *task, int32_t ranks,
                                          int64_t bytes) {
    return (struct caucus_task){
        .collective = task->collective,
        .ranks = ranks,
        .commutative = task->commutative,
        .element = task->element,
        .bytes = bytes,
        .nodes = task->nodes,
        .segment = task->segment,
        .volume = bytes,
    };
}

int caucus_intergroup_nodes_of(const struct caucus_task *task,
                               const struct caucus_group_blocks *side,
                               struct caucus_node_map *map) {
    return caucus_node_map_init(map, side->ranks, task->nodes->node_of_rank + side->first);
}

struct caucus_task caucus_intergroup_node_part(const struct caucus_task *task,
                                               const struct caucus_group_blocks *side,
                                               enum caucus_collective collective,
                                               const struct caucus_node_map *map, int64_t bytes) {
    struct caucus_task part = caucus_intergroup_part(task, side->ranks, bytes);
    part.collective = collective;
    part.rank = task->rank - side->first;
    part.nodes = map;
    part.node_limit = task->node_limit / 2;
    return part;
}
