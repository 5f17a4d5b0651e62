/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and short blocks in one step, and an allgather of what came within each group: by the
 * leaders of its nodes, or Bruck's.
 *
 * Cost: one message each way for every rank of the larger group; then ⌈log2 nodes⌉ rounds in each
 * group, which all others would have to begin with a round of their own. Any p, q and lengths up
 * to CAUCUS_EAGER_BYTES. */
#include "plan/intergroup/eager.h"

#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/intergroup/counts.h"
#include "plan/intergroup/parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

enum { ENTRY = sizeof(int64_t) };

/* Ranks first to end, exclusive, of a group. */
struct partners {
    int32_t first, end;
};

/* Of rank index among own ranks, in a group of other. */
static struct partners partners_of(int64_t index, int64_t own, int64_t other) {
    if (own > other) {
        int32_t one = (int32_t)(index * other / own);
        return (struct partners){one, one + 1};
    }
    return (struct partners){(int32_t)((index * other + own - 1) / own),
                             (int32_t)(((index + 1) * other + own - 1) / own)};
}

/* Whose blocks come to rank index: the larger group's to all of the smaller one, else to those who
 * are the first. */
static struct partners sources_of(int64_t index, int64_t own, int64_t other) {
    struct partners sources = partners_of(index, own, other);
    if (own > other && partners_of(sources.first, other, own).first != index)
        sources.end = sources.first;
    return sources;
}

static int64_t coming(int32_t index, const struct caucus_group_side *own,
                      const struct caucus_group_side *other) {
    struct partners sources = sources_of(index, own->ranks, other->ranks);
    int64_t bytes = 0;
    for (int32_t k = sources.first; k < sources.end; k++)
        bytes += caucus_eager_part(caucus_group_block(other, k));
    return bytes;
}

bool caucus_eager_applies(const struct caucus_task *task) {
    return task->collective == CAUCUS_ALLGATHERV &&
           !caucus_intergroup_counts_go_round(task->first_group, task->ranks);
}

int64_t caucus_eager_coming(const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    return coming(task->rank - own.first, &own, &other);
}

/* A rank of the larger group: lengths are exchanged where it is the first partner's, else it only
 * hears them. */
static void exchange(struct caucus_builder *builder, const struct caucus_task *task) {
    const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    int32_t index = task->rank - own.first;
    struct partners partners = partners_of(index, own.ranks, other.ranks);
    int64_t told = ENTRY * (int64_t)other.ranks, heard = ENTRY * (int64_t)own.ranks;
    int64_t block = caucus_eager_part(task->bytes), at = heard;
    bool larger = own.ranks > other.ranks;
    for (int32_t k = partners.first; k < partners.end; k++) {
        bool first =
            larger ? partners_of(k, other.ranks, own.ranks).first == index : k == partners.first;
        bool tells = first || !larger, hears = first || larger;
        bool gives = first || larger, gets = first || !larger;
        int64_t comes = gets ? caucus_eager_part(caucus_group_block(&other, k)) : 0;
        caucus_emit_receive(builder, other.first + k, hears ? out : caucus_at(out, at),
                            (hears ? heard : 0) + comes);
        caucus_emit_send(builder, other.first + k, tells ? in : caucus_at(in, told),
                         (tells ? told : 0) + (gives ? block : 0));
        at += comes;
    }
    caucus_end_step(builder);
}

int caucus_eager_exchange_build(const struct caucus_task *task, struct caucus_schedule *schedule) {
    struct caucus_builder builder;
    caucus_builder_init(&builder, task->ranks, task->rank);
    exchange(&builder, task);
    return caucus_builder_finish(&builder, schedule);
}

bool caucus_eager_is_all(const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    return caucus_group_longest(&own) <= CAUCUS_EAGER_BYTES &&
           caucus_group_longest(&other) <= CAUCUS_EAGER_BYTES;
}

/* An allgather within the group own of what came from other; its arrays are to be freed. */
struct sharing {
    struct caucus_task task;
    struct caucus_node_map map;
    int64_t *length;
    const struct caucus_algorithm *algorithm;
};

static int sharing_init(struct sharing *sharing, const struct caucus_task *task,
                        const struct caucus_group_side *own,
                        const struct caucus_group_side *other) {
    bool by_nodes = task->nodes && caucus_intergroup_nodes_apart(task);
    *sharing = (struct sharing){.length = caucus_array(own->ranks, sizeof *sharing->length)};
    int status = sharing->length ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status && by_nodes)
        status = caucus_node_map_part(&sharing->map, task->nodes, own->first, own->ranks);
    for (int32_t i = 0; i < own->ranks && !status; i++)
        sharing->length[i] = coming(i, own, other);
    sharing->task = caucus_intergroup_part(task, own->ranks, caucus_group_total(other));
    sharing->task.collective = CAUCUS_ALLGATHERV;
    sharing->task.receive_bytes = sharing->length;
    sharing->task.node_limit = task->node_limit;
    if (by_nodes)
        sharing->task.nodes = &sharing->map;
    sharing->algorithm =
        caucus_algorithm_find(CAUCUS_ALLGATHERV, by_nodes ? "node_aware" : "bruck");
    return status;
}

static void sharing_free(struct sharing *sharing) {
    caucus_node_map_free(&sharing->map);
    free(sharing->length);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct sharing sharing;
    int status = sharing_init(&sharing, task, &own, &other);
    if (status) {
        caucus_builder_fail(builder, status, "no memory for the blocks that came to %d ranks",
                            (int)own.ranks);
    } else {
        struct caucus_group before = caucus_intergroup_enter_own(builder, task);
        sharing.task.rank = task->rank - own.first;
        sharing.task.bytes = sharing.length[sharing.task.rank];
        sharing.algorithm->emit(builder, &sharing.task);
        caucus_enter_group(builder, before);
    }
    sharing_free(&sharing);
}

static double sharing_cost(const struct caucus_task *task, const struct caucus_model *model,
                           const struct caucus_group_side *own,
                           const struct caucus_group_side *other) {
    struct sharing sharing;
    double seconds = INFINITY;
    if (sharing_init(&sharing, task, own, other) == CAUCUS_OK) {
        double talking = sharing.map.nodes > 0 ? task->nodes->nodes : task->ranks;
        struct caucus_model few = caucus_cost_part(task, model, talking);
        seconds = sharing.algorithm->cost(&sharing.task, &few);
    }
    sharing_free(&sharing);
    return seconds;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    return fmax(sharing_cost(task, model, &own, &other), sharing_cost(task, model, &other, &own));
}

const struct caucus_algorithm caucus_intergroup_allgatherv_eager = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "eager",
    .summary = "blocks that crossed with the counts are shared out in each group",
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};
