/* SPDX-License-Identifier: BSD-3-Clause */
/* A cast that is alone is followed in time: a rank sends one message after the other, each of which
 * keeps its processor, and between nodes two cards, for a while. What many casts take together is
 * the sum of the same times at whoever is busiest. */
#include "plan/overlay/estimate.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/schedule/event_queue.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FOLLOWED = 1 << 20, LEAST_ORIGINS = 8 }; /* the former: ranks, over all origins */

/* A rank, and the card of the node of that number. */
struct place {
    int32_t sender, hops;
    int32_t heard; /* of entry i: the rank that hears as the i-th */
    int64_t sends;
    double busy;    /* what the processor has to do */
    double out, in; /* the card is free again; or what it has to do */
};

struct state {
    const struct caucus_overlay *overlay;
    const struct caucus_node_map *nodes; /* NULL: every rank a node of its own */
    const struct caucus_model *model;
    double bytes;        /* of a piece */
    struct place *place; /* [rank] */
    int64_t crossings;
};

static int32_t node_of(const struct state *state, int32_t rank) {
    return state->nodes ? caucus_node_of_rank(state->nodes, rank) : rank;
}

static enum caucus_distance distance(const struct state *state, int32_t a, int32_t b) {
    return node_of(state, a) == node_of(state, b) ? CAUCUS_WITHIN_NODE : CAUCUS_BETWEEN_NODES;
}

static double later(double a, double b) {
    return a > b ? a : b;
}

/* Sends at a time; *arrival is when the receiver can forward. Returns when the sender can go on. */
static double send(struct state *state, int32_t from, int32_t to, double time, double *arrival) {
    const struct caucus_model *model = state->model;
    enum caucus_distance far = distance(state, from, to);
    double begin = time + model->overhead[far], wire = state->bytes * model->byte[far];
    if (far == CAUCUS_BETWEEN_NODES) {
        double card = state->bytes * model->card_byte;
        double *out = &state->place[node_of(state, from)].out;
        double *in = &state->place[node_of(state, to)].in;
        begin = later(begin, *out);
        *out = begin + card;
        *in = later(begin + model->latency[far], *in) + card;
        *arrival = later(begin + model->latency[far] + wire, *in) + model->overhead[far];
    } else {
        *arrival = begin + model->latency[far] + wire + model->overhead[far];
    }
    return begin + wire;
}

/* Fails for lack of memory alone. */
static int follow_in_time(struct state *state, int32_t origin, struct caucus_overlay_times *times) {
    struct caucus_event_queue queue = {0};
    struct caucus_queued next = {.subject = origin};
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    bool fits = caucus_event_push(&queue, next);
    state->place[origin].sender = origin;
    while (fits && caucus_event_pop(&queue, &next)) {
        int32_t rank = next.subject;
        int count =
            caucus_overlay_forwards(state->overlay, rank, state->place[rank].sender, origin, to);
        times->one = later(times->one, next.time);
        times->hops = state->place[rank].hops > times->hops ? state->place[rank].hops : times->hops;
        if ((int)next.value == count)
            continue;
        int32_t child = to[next.value];
        struct caucus_queued heard = {.subject = child};
        state->place[child].sender = rank;
        state->place[child].hops = state->place[rank].hops + 1;
        next.time = send(state, rank, child, next.time, &heard.time);
        next.value++;
        fits = caucus_event_push(&queue, heard);
        if (fits && (int)next.value < count)
            fits = caucus_event_push(&queue, next);
    }
    caucus_event_queue_free(&queue);
    return fits ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Adds what everybody has to do for a cast. */
static void add_work(struct state *state, int32_t origin) {
    const struct caucus_model *model = state->model;
    int32_t to[CAUCUS_OVERLAY_DEGREE], count = 1;
    state->place[0].heard = state->place[origin].sender = origin;
    for (int32_t i = 0; i < count; i++) {
        int32_t rank = state->place[i].heard;
        int children =
            caucus_overlay_forwards(state->overlay, rank, state->place[rank].sender, origin, to);
        state->place[rank].sends += children;
        for (int j = 0; j < children; j++) {
            enum caucus_distance far = distance(state, rank, to[j]);
            state->place[rank].busy += model->overhead[far] + state->bytes * model->byte[far];
            state->place[to[j]].busy += model->overhead[far];
            if (far == CAUCUS_BETWEEN_NODES) {
                state->place[node_of(state, rank)].out += state->bytes * model->card_byte;
                state->place[node_of(state, to[j])].in += state->bytes * model->card_byte;
                state->crossings++;
            }
            state->place[to[j]].sender = rank;
            state->place[count++].heard = to[j];
        }
    }
}

static double busiest(const struct state *state) {
    double most = 0;
    for (int32_t i = 0; i < state->overlay->ranks; i++)
        most = later(later(most, state->place[i].busy),
                     later(state->place[i].out, state->place[i].in));
    return most;
}

static void forget(struct state *state) {
    memset(state->place, 0, (size_t)state->overlay->ranks * sizeof *state->place);
    state->crossings = 0;
}

/* Between the origins that are looked at: all, or such as have different places in their nodes. */
static int32_t stride_of(int32_t ranks) {
    int32_t wanted = MOST_FOLLOWED / ranks > LEAST_ORIGINS ? MOST_FOLLOWED / ranks : LEAST_ORIGINS;
    return wanted >= ranks ? 1 : ranks / wanted | 1;
}

static int follow(struct state *state, double pieces, int32_t origin,
                  struct caucus_overlay_times *times) {
    int32_t ranks = state->overlay->ranks;
    int status = follow_in_time(state, origin, times);
    if (status)
        return status;
    forget(state);
    add_work(state, origin);
    times->one += (pieces - 1) * busiest(state);
    forget(state);
    int32_t stride = stride_of(ranks), origins = 0;
    for (int64_t i = 0; i < ranks; i += stride, origins++)
        add_work(state, (int32_t)i);
    int64_t most = 0, all = 0;
    for (int32_t i = 0; i < ranks; i++) {
        most = state->place[i].sends > most ? state->place[i].sends : most;
        all += state->place[i].sends;
    }
    times->together = pieces * busiest(state) / origins;
    times->crossings = (double)state->crossings / origins;
    times->imbalance = all ? (double)most * ranks / (double)all : 1;
    return CAUCUS_OK;
}

int caucus_overlay_estimate(const struct caucus_overlay *overlay,
                            const struct caucus_node_map *nodes, const struct caucus_model *model,
                            int64_t bytes, int64_t segment, int32_t origin,
                            struct caucus_overlay_times *times) {
    struct state state = {.overlay = overlay,
                          .nodes = nodes,
                          .model = model,
                          .bytes = (double)(bytes < segment ? bytes : segment),
                          .place = caucus_array(overlay->ranks, sizeof *state.place)};
    int64_t pieces = bytes > segment ? (bytes - 1) / segment + 1 : 1;
    *times = (struct caucus_overlay_times){0};
    int status = state.place ? follow(&state, (double)pieces, origin, times) : CAUCUS_NO_MEMORY;
    free(state.place);
    return status;
}

int caucus_overlay_choose(const struct caucus_node_map *nodes, const struct caucus_model *model,
                          int64_t bytes, bool together, struct caucus_overlay *overlay) {
    double best = 0;
    int32_t origin = nodes->ranks / 3; /* rank 0 is where the skip ring is at its best */
    overlay->kind = NULL;
    for (int i = 0; caucus_overlay_listed(i); i++) {
        struct caucus_overlay tried = {caucus_overlay_listed(i), nodes->ranks, nodes, false};
        struct caucus_overlay_times times;
        int status =
            caucus_overlay_estimate(&tried, nodes, model, bytes, bytes + 1, origin, &times);
        double seconds = together ? times.together : times.one;
        if (status)
            return status;
        if (!overlay->kind || seconds < best) {
            best = seconds;
            *overlay = tried;
        }
    }
    return CAUCUS_OK;
}
