/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_exchange.h"

#include <stdlib.h>

enum { BATCH = 64 }; /* messages at a time */

/* An exchange being emitted. */
struct emission {
    const struct caucus_node_exchange *exchange;
    struct caucus_builder *builder;
    struct caucus_place user;      /* what is sent */
    struct caucus_place *out, *in; /* the windows to and from each node */
    int32_t lines;
    int64_t begin, end; /* of the window in all regions */
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The bytes of a region within the window. */
static int64_t within(const struct emission *emission, int64_t region) {
    return region > emission->begin ? smaller(region, emission->end) - emission->begin : 0;
}

static bool reserve(struct emission *emission) {
    const struct caucus_node_exchange *exchange = emission->exchange;
    int32_t nodes = exchange->map->nodes;
    emission->out =
        caucus_builder_array(emission->builder, nodes, sizeof *emission->out, "regions");
    emission->in = caucus_builder_array(emission->builder, nodes, sizeof *emission->in, "regions");
    if (emission->builder->status)
        return false;
    emission->lines = caucus_reserve_lines(emission->builder, exchange->size);
    for (int32_t node = 0; node < nodes; node++) {
        int64_t out = smaller(exchange->outgoing[node], exchange->window);
        int64_t in = smaller(exchange->incoming[node], exchange->window);
        emission->out[node] = caucus_reserve_node(emission->builder, out);
        emission->in[node] = node == exchange->node ? emission->out[node]
                                                    : caucus_reserve_node(emission->builder, in);
    }
    return true;
}

/* Everybody of the node has come here. */
static void synchronise(struct emission *emission, int64_t value) {
    const struct caucus_node_exchange *exchange = emission->exchange;
    caucus_end_step(emission->builder);
    if (exchange->size > 1) {
        caucus_emit_signal(emission->builder, emission->lines + exchange->local, value);
        caucus_emit_await(emission->builder, emission->lines, exchange->size, value);
    }
    caucus_end_step(emission->builder);
}

/* The part of a parcel within the window. */
static bool clip(const struct emission *emission, struct caucus_parcel *parcel) {
    int64_t begin = parcel->at > emission->begin ? parcel->at : emission->begin;
    int64_t end = smaller(parcel->at + parcel->length, emission->end);
    if (begin >= end)
        return false;
    parcel->user += begin - parcel->at;
    parcel->at = begin - emission->begin;
    parcel->length = end - begin;
    return true;
}

static void copy_in(struct emission *emission) {
    struct caucus_copying copying = {.builder = emission->builder};
    const struct caucus_parcels *sent = &emission->exchange->sent;
    for (int64_t i = 0; i < sent->count; i++) {
        struct caucus_parcel parcel = sent->parcel[i];
        if (clip(emission, &parcel))
            caucus_copying_add(&copying, caucus_at(emission->user, parcel.user),
                               caucus_at(emission->out[parcel.node], parcel.at), parcel.length);
    }
    caucus_copying_flush(&copying);
}

/* What came from this node, or what came from others. */
static void copy_out(struct emission *emission, bool own) {
    struct caucus_copying copying = {.builder = emission->builder};
    struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};
    const struct caucus_parcels *received = &emission->exchange->received;
    for (int64_t i = 0; i < received->count; i++) {
        struct caucus_parcel parcel = received->parcel[i];
        if (own == (parcel.node == emission->exchange->node) && clip(emission, &parcel))
            caucus_copying_add(&copying, caucus_at(emission->in[parcel.node], parcel.at),
                               caucus_at(out, parcel.user), parcel.length);
    }
    caucus_copying_flush(&copying);
}

/* This rank's lanes of a region of so many bytes to, or from, the node at a distance. Lanes are
 * dealt to the ranks of both nodes by distance. Returns how many there are. */
static int32_t emit_lanes(struct emission *emission, int32_t distance, int32_t other,
                          struct caucus_place place, int64_t bytes, bool send) {
    const struct caucus_node_exchange *exchange = emission->exchange;
    const struct caucus_node_map *map = exchange->map;
    int32_t size = caucus_node_size(map, other), messages = 0;
    int64_t lanes = smaller(bytes / CAUCUS_LANE_BYTES, smaller(size, exchange->size));
    lanes = lanes > 1 ? lanes : 1;
    for (int64_t lane = 0; lane < lanes; lane++) {
        int64_t turn = (distance - 1) * lanes + lane;
        int64_t begin = bytes / lanes * lane;
        int64_t length = (lane + 1 < lanes ? bytes / lanes * (lane + 1) : bytes) - begin;
        int32_t peer = caucus_rank_in_node(map, other, (int32_t)(turn % size));
        if (turn % exchange->size != exchange->local || length == 0)
            continue;
        if (send)
            caucus_emit_send(emission->builder, peer, caucus_at(place, begin), length);
        else
            caucus_emit_receive(emission->builder, peer, caucus_at(place, begin), length);
        messages++;
    }
    return messages;
}

/* What has the same distance stays in one step, and all ranks go by ascending distance: so no
 * circle of ranks can wait for each other. */
static void emit_messages(struct emission *emission) {
    const struct caucus_node_exchange *exchange = emission->exchange;
    int32_t nodes = exchange->map->nodes, posted = 0;
    for (int32_t distance = 1; distance < nodes; distance++) {
        int32_t to = (int32_t)(((int64_t)exchange->node + distance) % nodes);
        int32_t from = (int32_t)(((int64_t)exchange->node - distance + nodes) % nodes);
        posted += emit_lanes(emission, distance, from, emission->in[from],
                             within(emission, exchange->incoming[from]), false);
        posted += emit_lanes(emission, distance, to, emission->out[to],
                             within(emission, exchange->outgoing[to]), true);
        if (posted < BATCH)
            continue;
        caucus_end_step(emission->builder);
        posted = 0;
    }
}

static void longest_regions(const struct caucus_node_exchange *exchange, int64_t *own,
                            int64_t *others) {
    *own = exchange->outgoing[exchange->node];
    *others = 0;
    for (int32_t node = 0; node < exchange->map->nodes; node++) {
        int64_t out = exchange->outgoing[node], in = exchange->incoming[node];
        int64_t longest = out > in ? out : in;
        if (node != exchange->node && longest > *others)
            *others = longest;
    }
}

/* A rank that works in place would overwrite what a later window is to send. */
static void keep_input(struct emission *emission) {
    const struct caucus_parcels *sent = &emission->exchange->sent;
    int64_t bytes = 0;
    for (int64_t i = 0; i < sent->count; i++) {
        int64_t end = sent->parcel[i].user + sent->parcel[i].length;
        bytes = end > bytes ? end : bytes;
    }
    struct caucus_place kept = caucus_reserve_scratch(emission->builder, bytes);
    caucus_emit_copy(emission->builder, emission->user, kept, bytes);
    caucus_end_step(emission->builder);
    emission->user = kept;
}

static void emit_windows(struct emission *emission, const struct caucus_task *task) {
    const struct caucus_node_exchange *exchange = emission->exchange;
    int64_t own, others;
    longest_regions(exchange, &own, &others);
    int64_t longest = own > others ? own : others, value = 0;
    if (task->in_place && longest > exchange->window)
        keep_input(emission);
    for (emission->begin = 0; emission->begin < longest; emission->begin = emission->end) {
        emission->end = emission->begin + smaller(exchange->window, longest - emission->begin);
        copy_in(emission);
        synchronise(emission, ++value);
        copy_out(emission, true);
        emit_messages(emission);
        if (others > emission->begin || emission->end < longest)
            synchronise(emission, ++value);
        copy_out(emission, false);
        caucus_end_step(emission->builder);
    }
    emission->builder->schedule.synchronising = longest > 0;
}

void caucus_node_exchange_emit(const struct caucus_node_exchange *exchange,
                               struct caucus_builder *builder, const struct caucus_task *task) {
    struct emission emission = {
        .exchange = exchange, .builder = builder, .user = {CAUCUS_BUFFER_IN, 0}};
    if (!builder->status && reserve(&emission))
        emit_windows(&emission, task);
    caucus_end_step(builder);
    free(emission.out);
    free(emission.in);
}
